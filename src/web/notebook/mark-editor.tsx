import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { REVIEW_STATES, type ReviewState } from "../../mail/notebook.ts";
import { useApplication, useRoute } from "../application.ts";
import { Icon } from "../parts/icon.tsx";
import { WORDS } from "../words/words.ts";
import { type Mark, type MarkedKind, type Marks, NO_MARK } from "./marks.ts";
import type { NoteDrafts } from "./note-drafts.ts";
import { MarkLine, TagSpot } from "./tags.tsx";
import { useMark, useMarks, useSaveStatus } from "./use-marks.ts";

const { notebook: words } = WORDS;

interface MarkProps {
  readonly kind: MarkedKind;
  readonly id: string;
}

/** Unsaved notes, and the entity that they belong to. */
function useDrafts({ kind, id }: MarkProps): { readonly drafts: NoteDrafts; readonly thing: string } {
  const { drafts } = useApplication();
  return { drafts, thing: `${useRoute().archive} ${kind} ${id}` };
}

/** Tags, note and review state of an entity, with controls; empty if read-only. */
export function MarkBar({ kind, id }: MarkProps) {
  const marks = useMarks();
  const mark = useMark(kind, id);
  const { drafts, thing } = useDrafts({ kind, id });
  const isOpen = useSignal(drafts.of(thing) !== undefined);
  if (marks === null) return null;
  return (
    <div class="mark-bar">
      <MarkLine mark={mark} />
      <button
        type="button"
        class="text"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="tag" /> {words.edit[kind]}
      </button>
      {mark.note === "" || isOpen.value ? null : (
        <p class="note-text" dir="auto">
          {mark.note}
        </p>
      )}
      {isOpen.value ? <MarkEditor kind={kind} id={id} marks={marks} mark={mark} /> : null}
    </div>
  );
}

interface EditorProps extends MarkProps {
  readonly marks: Marks;
  readonly mark: Mark;
}

function MarkEditor({ kind, id, marks, mark }: EditorProps) {
  const showStatus = useSaveStatus();
  return (
    <div class="mark-editor">
      <TagChoice
        chosen={mark.tags}
        onTurn={(tag) => showStatus(marks.turnTag(kind, [id], tag).then((isSet) => words.turned(tag, isSet, 1)))}
      />
      <fieldset class="reviews">
        <legend>{words.review}</legend>
        {REVIEW_STATES.map((state: ReviewState) => (
          <label key={state}>
            <input
              type="radio"
              name={`review-${id}`}
              checked={mark.review === state}
              onChange={() =>
                showStatus(marks.change(kind, id, (now) => ({ ...now, review: state })).then(() => words.saved))
              }
            />
            {words.reviews[state]}
          </label>
        ))}
      </fieldset>
      <NoteEditor key={id} kind={kind} id={id} marks={marks} mark={mark} />
    </div>
  );
}

interface TagChoiceProps {
  readonly chosen: readonly string[];
  readonly onTurn: (tag: string) => void;
}

/** All tags as toggles, and a box for a new one. */
export function TagChoice({ chosen, onTurn }: TagChoiceProps) {
  const marks = useMarks();
  const text = useSignal("");
  return (
    <fieldset class="tag-choice">
      <legend>{words.tags}</legend>
      {marks?.allTags().value.map(({ name, color, digit }) => (
        <button key={name} type="button" class="tag" aria-pressed={chosen.includes(name)} onClick={() => onTurn(name)}>
          <TagSpot color={color} />
          <bdi>{name}</bdi>
          {digit === null ? null : <kbd>{digit}</kbd>}
        </button>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const written = text.value.trim();
          const name = marks?.spelled(written) ?? written;
          if (name === "" || chosen.includes(name)) return;
          onTurn(name);
          text.value = "";
        }}
      >
        <input
          type="text"
          maxLength={64}
          aria-label={words.newTag}
          placeholder={words.newTag}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </form>
    </fieldset>
  );
}

/** Thrown if another user changed the note since editing began. */
class NoteChanged extends Error {}

function NoteEditor({ kind, id, marks, mark }: EditorProps) {
  const showStatus = useSaveStatus();
  const { drafts, thing } = useDrafts({ kind, id });
  const draft = drafts.of(thing);
  const text = useSignal(draft?.text ?? mark.note);
  /** The note on which the edited one is based. */
  const base = useSignal(draft?.base ?? mark.note);
  const others = useSignal<string | null>(null);
  useLayoutEffect(() => drafts.open(), []);
  useEffect(() => {
    // Without unsaved text, the current note is shown.
    if (text.peek() !== base.peek()) return;
    text.value = mark.note;
    base.value = mark.note;
  }, [mark.note]);
  const save = (): void => {
    const written = text.value.trimEnd();
    const change = marks
      .change(kind, id, (now) => {
        if (now.note !== base.value && now.note !== written) throw new NoteChanged(now.note);
        return { ...now, note: written };
      })
      .then(
        () => {
          base.value = written;
          others.value = null;
          if (text.peek().trimEnd() === written) drafts.forget(thing);
          return words.saved;
        },
        (cause: unknown) => {
          if (!(cause instanceof NoteChanged)) throw cause;
          others.value = cause.message;
          base.value = cause.message;
          return words.noteChanged;
        },
      );
    showStatus(change);
  };
  return (
    <div class="note-editor">
      <textarea
        rows={3}
        maxLength={20_000}
        aria-label={words.note}
        placeholder={words.note}
        dir="auto"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          drafts.keep(thing, { text: currentTarget.value, base: base.value });
        }}
      />
      {others.value === null ? null : (
        <div class="warned" role="alert">
          <p>{words.noteChanged}</p>
          <blockquote dir="auto">{others.value === "" ? words.noteRemoved : others.value}</blockquote>
        </div>
      )}
      <button
        type="button"
        class="button"
        disabled={text.value.trimEnd() === base.value && others.value === null}
        onClick={save}
      >
        {others.value === null ? words.saveNote : words.replaceNote}
      </button>
    </div>
  );
}

/** The marks of a message and its conversation, as shown in a list row. */
export function RowMarks({ id, threadId }: { readonly id: string; readonly threadId: string }) {
  const own = useMark("message", id);
  const { tags } = useMark("thread", threadId);
  const all = [...new Set([...own.tags, ...tags])];
  return <MarkLine mark={{ ...NO_MARK, ...own, tags: all }} />;
}
