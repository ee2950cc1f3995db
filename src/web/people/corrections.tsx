import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type {
  CORRECTION_BODIES,
  Corrected,
  CorrectionsWire,
  SuggestionsWire,
} from "../../http/explore-api/wire/wire-corrections.ts";
import type { PersonDetailWire, TopicDetailWire, TopicsWire } from "../../http/explore-api/wire/wire-people.ts";
import { useAddress, useApi, useApplication } from "../application.ts";
import { useSaveStatus } from "../notebook/use-marks.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { CORRECTION_WORDS as words } from "../words/correction-words.ts";

/** Milliseconds between polls for the corrected archive. */
const LOOK_MS = 500;

type Path = keyof typeof CORRECTION_BODIES;

/** The corrections of an archive, and a function to add one. */
interface Corrector {
  readonly last: string | null;
  readonly isBusy: boolean;
  /** Adds a correction, and reloads the page after the archive has applied it. @param next its new URL, if different */
  correct(path: Path, body: object, next?: string): void;
}

/** Null while loading, and if the archive cannot be corrected. */
function useCorrector(corrected: Corrected): Corrector | null {
  const api = useApi();
  const showStatus = useSaveStatus();
  const { answers, notice } = useApplication();
  const state = useSignal<CorrectionsWire | null>(null);
  const isBusy = useSignal(false);
  const look = (): Promise<CorrectionsWire> => answers.send<CorrectionsWire>(api("/corrections"), {});
  useEffect(() => {
    look().then(
      (found) => {
        state.value = found;
      },
      () => undefined,
    );
  }, []);
  const { value: known } = state;
  if (known === null) return null;
  const applied = async (path: Path, body: object, next?: string): Promise<string> => {
    let now = await answers.post<CorrectionsWire>(api(`/corrections/${path}`), body);
    notice.value = words.applying;
    while (now.state === "applying") {
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
      now = await look();
    }
    if (now.state === "failed") return words.failed;
    if (next === undefined) location.reload();
    else location.assign(next);
    return words.applying;
  };
  return {
    last: known[corrected].last,
    isBusy: isBusy.value,
    correct(path, body, next) {
      isBusy.value = true;
      const ended = applied(path, { ...body, revision: known[corrected].revision }, next);
      showStatus(
        ended.finally(() => {
          isBusy.value = false;
        }),
      );
    },
  };
}

interface ButtonProps {
  readonly by: Corrector;
  readonly path: Path;
  readonly body: object;
  readonly next?: string;
  readonly children: ComponentChildren;
}

function Correction({ by, path, body, next, children }: ButtonProps) {
  return (
    <button type="button" class="button" disabled={by.isBusy} onClick={() => by.correct(path, body, next)}>
      {children}
    </button>
  );
}

/** Undoes the last correction, by any user. */
function Undo({ by, path }: Pick<ButtonProps, "by" | "path">) {
  return by.last === null ? null : (
    <Correction by={by} path={path} body={{}}>
      {words.undo(by.last)}
    </Correction>
  );
}

function Rename({ by, path, body, name }: Pick<ButtonProps, "by" | "path" | "body"> & { readonly name: string }) {
  const typed = useSignal(name);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        by.correct(path, { ...body, name: typed.value });
      }}
    >
      <input
        type="text"
        aria-label={words.name}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
      />{" "}
      <button type="submit" class="button" disabled={by.isBusy}>
        {words.rename}
      </button>
    </form>
  );
}

interface SelectProps extends Pick<ButtonProps, "by" | "path" | "children"> {
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly bodyOf: (value: string) => object;
}

function Select({ by, path, label, options, bodyOf, children }: SelectProps) {
  const selected = useSignal(options[0]?.[0] ?? "");
  return options.length === 0 ? null : (
    <p>
      <select
        class="button"
        aria-label={label}
        value={selected.value}
        onChange={({ currentTarget }) => {
          selected.value = currentTarget.value;
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>{" "}
      <Correction by={by} path={path} body={bodyOf(selected.value)}>
        {children}
      </Correction>
    </p>
  );
}

/** Possible duplicates of this person, with the evidence; and its name and addresses, for correction. */
export function PersonCorrections({
  person: { contact_id: id, name, email, addresses },
}: {
  readonly person: PersonDetailWire;
}) {
  const by = useCorrector("people");
  const address = useAddress();
  const api = useApi();
  const { data } = useAnswer<SuggestionsWire>(by === null ? null : api(`/corrections/suggestions?person=${id}`));
  const put = useSignal<readonly string[]>([]);
  if (by === null) return null;
  const others = (data?.suggestions ?? []).map(({ one, other, reason }) => ({
    ...(one.id === id ? other : one),
    reason,
  }));
  return (
    <div class="corrections">
      {others
        .filter((other) => !put.value.includes(other.id))
        .map((other) => (
          <p key={other.id}>
            <b>{words.same}</b> <a href={address("person", { id: other.id })}>{other.name}</a> <bdi>{other.email}</bdi>
            <br />
            <span class="quiet">{other.reason}</span>
            <br />
            <Correction
              by={by}
              path="people/merge"
              body={{ people: [id, other.id] }}
              // After merging two people, the smaller number stays.
              next={address("person", { id: id < other.id ? id : other.id })}
            >
              {words.yes}
            </Correction>{" "}
            <Correction by={by} path="people/split" body={{ addresses: [email, other.email] }}>
              {words.no}
            </Correction>{" "}
            <button
              type="button"
              class="button"
              onClick={() => {
                put.value = [...put.value, other.id];
              }}
            >
              {words.later}
            </button>
          </p>
        ))}
      <details>
        <summary>{words.correct}</summary>
        <Rename by={by} path="people/rename" body={{ person: id }} name={name} />
        <Select
          by={by}
          path="people/split"
          label={words.address}
          options={addresses.slice(1).map(({ address: text }) => [text, text])}
          bodyOf={(text) => ({ addresses: [email, text] })}
        >
          {words.split}
        </Select>
        <Undo by={by} path="people/undo" />
      </details>
    </div>
  );
}

/** The name of a topic, its merged topics, and whether it is shown. */
export function TopicCorrections({ topic: { id, name } }: { readonly topic: TopicDetailWire }) {
  const by = useCorrector("topics");
  const address = useAddress();
  const api = useApi();
  const { data } = useAnswer<TopicsWire>(by === null ? null : api("/topics?sort=name&limit=1000"));
  if (by === null || data === null || id === OTHER) return null;
  const others = data.topics.filter((topic) => topic.id !== id && topic.id !== OTHER);
  return (
    <details class="corrections">
      <summary>{words.correct}</summary>
      <Rename by={by} path="topics/rename" body={{ topic: id }} name={name} />
      <Select
        by={by}
        path="topics/merge"
        label={words.topic}
        options={others.map((topic) => [topic.id, topic.name])}
        bodyOf={(other) => ({ topics: [id, other] })}
      >
        {words.merge}
      </Select>
      <p>
        <Correction by={by} path="topics/hide" body={{ topic: id }} next={address("topics")}>
          {words.hide}
        </Correction>{" "}
        <Undo by={by} path="topics/undo" />
      </p>
    </details>
  );
}

/** The topic of all other conversations. */
const OTHER = "topic-000";
