import { useSignal } from "@preact/signals";
import type { ComponentProps } from "preact";
import type { PersonWire } from "../../http/explore-api/wire/wire.ts";
import type { DetailWire } from "../../http/explore-api/wire/wire-messages.ts";
import type { OriginalPlacesWire, OriginalState } from "../../http/explore-api/wire/wire-originals.ts";
import { apiOf, useAddress, useApi, useApplication, useRoute } from "../application.ts";
import { ORIGINAL_LINK } from "../frame/original-links.ts";
import { copyLink } from "../parts/copy-link.ts";
import { Fact } from "../parts/figure.tsx";
import { momentOf, sizeOf } from "../parts/formats.ts";
import { FaultMessage, Skeleton } from "../parts/states.tsx";
import { useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { ORIGINALS_WORDS } from "../words/originals-words.ts";
import { WORDS } from "../words/words.ts";
import { People } from "./people-line.tsx";

/** Recipients shown initially: one mail had 1,029. */
const FEW_RECIPIENTS = 8;

const FIELDS = [
  ["sender", "from"],
  ["reply_to", "from"],
  ["to", "to"],
  ["cc", "cc"],
  ["bcc", "cc"],
] as const;

/** Details of a message: people with addresses, locations, hash, findings, and links to its original. */
export function MessageDetails({ id }: { readonly id: string }) {
  const application = useApplication();
  const { archive } = useRoute();
  const api = useApi();
  const address = useAddress();
  const { data, fault, retry } = useAnswer<DetailWire>(api(`/messages/${id}`));
  const isGiven = data !== null && !data.is_withheld;
  // Without a response, the locations are still shown, but not their current state.
  const places = useAnswer<OriginalPlacesWire>(isGiven ? api(`/messages/${id}/originals`) : null).data?.places;
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={4} height={20} />;
  const { details: words } = ORIGINALS_WORDS;
  const permalink = address("permalink", { id: data.message_id });
  return (
    <div class="details">
      <dl class="fields">
        {FIELDS.map(([name, operator]) => (
          <Field key={name} name={words.fields[name]} operator={operator} people={peopleOf(data, name)} />
        ))}
        <Row name={words.fields.received_at}>
          {data.received_at === null ? null : momentOf(data.received_at, application.isUtc.value)}
        </Row>
        <Row name={WORDS.messageId}>
          <bdi>{data.message_id}</bdi>{" "}
          <button type="button" class="text" onClick={() => copyLink(application, permalink)}>
            {WORDS.actions.copyLink}
          </button>
        </Row>
        {data.occurrences.map(({ source, source_path, mailbox, mailbox_clause, location }, index) => (
          <Row key={`${source} ${location}`} name={words.fields.place}>
            <a href={address("search", {}, { q: mailbox_clause })}>
              <bdi>{mailbox}</bdi>
            </a>{" "}
            <bdi class="quiet">
              {source_path} · {location}
            </bdi>{" "}
            {data.is_withheld ? null : <PlaceState state={places?.[index]?.state ?? null} />}
          </Row>
        ))}
        {data.attachments.map(({ number: file, filename, availability }) => (
          <Row key={file} name={words.fields.file}>
            <bdi>{filename}</bdi> {availability === "withheld" ? null : <PlaceState state={availability} />}
          </Row>
        ))}
        <Row name={words.fields.labels}>{data.labels.map((label) => label.replace(/^label:/, "")).join(", ")}</Row>
        <Row name={WORDS.sha256}>
          <code>{data.sha256}</code>
        </Row>
        {data.findings.map(({ code, message }) => (
          <Row key={code} name={words.fields.finding}>
            {message} <span class="quiet">{code}</span>
          </Row>
        ))}
      </dl>
      <p class="related">
        <span class="quiet">{sizeOf(data.size_bytes)}</span>
        {data.is_withheld ? (
          <span class="quiet">{words.withheld}</span>
        ) : (
          <>
            <SourceLinks id={id} sizeBytes={data.size_bytes} />
            <a download="" href={`${apiOf(application.shell, archive)}/messages/${id}/original`} {...ORIGINAL_LINK}>
              {words.original}
            </a>
          </>
        )}
        {data.quotes.map((quoted, index) => (
          <a key={quoted} href={address("message", { id: quoted })}>
            {words.quoted(index + 1, data.quotes.length)}
          </a>
        ))}
        {data.topic_id === "" ? null : (
          <a href={address("search", {}, { q: `topic:${data.topic_id}` })}>{words.topic}</a>
        )}
      </p>
    </div>
  );
}

/** Availability of a message location or file; empty while loading. */
function PlaceState({ state }: { readonly state: OriginalState | null }) {
  if (state === null) return null;
  const text = ORIGINALS_WORDS.originalStates[state];
  return <span class={state === "available" ? "found-again" : "lost"}>{text}</span>;
}

/** Bytes of a source per response. */
const PIECE_BYTES = 1 << 20;
/** Maximum links to parts of a source. */
const MAX_PIECES = 9;

/** The source as text; a long one is loaded in pieces. */
function SourceLinks({ id, sizeBytes }: { readonly id: string; readonly sizeBytes: number }) {
  const api = useApi();
  const pieces = Math.min(MAX_PIECES, Math.max(1, Math.ceil(sizeBytes / PIECE_BYTES)));
  return (
    <>
      {Array.from({ length: pieces }, (_, index) => (
        <a
          key={index}
          href={api(`/messages/${id}/source${index === 0 ? "" : `?offset=${index * PIECE_BYTES}`}`)}
          target="_blank"
          rel="noreferrer noopener"
          {...ORIGINAL_LINK}
        >
          {index === 0 ? ORIGINALS_WORDS.details.source : ORIGINALS_WORDS.details.furtherSource(index + 1)}
        </a>
      ))}
    </>
  );
}

function peopleOf(data: DetailWire, name: (typeof FIELDS)[number][0]): readonly PersonWire[] {
  if (name !== "sender") return data[name];
  return data.sender === null ? [] : [data.sender];
}

interface FieldProps {
  readonly name: string;
  readonly operator: "from" | "to" | "cc";
  readonly people: readonly PersonWire[];
}

function Field({ name, operator, people }: FieldProps) {
  const isOpen = useSignal(false);
  const shown = isOpen.value ? people : people.slice(0, FEW_RECIPIENTS);
  const rest = people.length - shown.length;
  if (people.length === 0) return null;
  return (
    <Row name={name}>
      <People people={shown} operator={operator} areAddressesShown={true} />
      {rest === 0 ? null : (
        <button
          type="button"
          class="text"
          title={number(people.length, "person")}
          onClick={() => {
            isOpen.value = true;
          }}
        >
          {WORDS.message.moreRecipients(rest)}
        </button>
      )}
    </Row>
  );
}

function Row({ name, children }: ComponentProps<typeof Fact>) {
  return children === null || children === "" ? null : <Fact name={name}>{children}</Fact>;
}
