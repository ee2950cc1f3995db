import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { PersonWire } from "../../http/explore-api/wire.ts";
import type { DetailWire } from "../../http/explore-api/wire-messages.ts";
import { apiOf, useAddress, useApi, useApplication, usePlace } from "../application.ts";
import { copyLink } from "../copy-link.ts";
import { momentOf, sizeOf } from "../formats.ts";
import { operatorClause } from "../query-text.ts";
import { FaultMessage, Skeleton } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { number, WORDS } from "../words.ts";
import { People } from "./people-line.tsx";

/** Recipients that are shown before somebody asks for all: one mail had 1,029. */
const FEW_RECIPIENTS = 8;

const FIELDS = [
  ["sender", "from"],
  ["reply_to", "from"],
  ["to", "to"],
  ["cc", "cc"],
  ["bcc", "cc"],
] as const;

/** All that is known of a message: people with addresses, places, hash, findings, and the ways to its original. */
export function MessageDetails({ id }: { readonly id: string }) {
  const application = useApplication();
  const { archive } = usePlace();
  const api = useApi();
  const address = useAddress();
  const { data, fault, retry } = useAnswer<DetailWire>(api(`/messages/${id}`));
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={4} height={20} />;
  const { message: words } = WORDS;
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
        <Row name={words.fields.message_id}>
          <bdi>{data.message_id}</bdi>{" "}
          <button type="button" class="text" onClick={() => copyLink(application, permalink)}>
            {WORDS.actions.copyLink}
          </button>
        </Row>
        {data.occurrences.map(({ source, source_path, mailbox, location }) => (
          <Row key={`${source} ${location}`} name={words.fields.place}>
            <a href={address("search", {}, { q: operatorClause("mailbox", mailbox) })}>
              <bdi>{mailbox}</bdi>
            </a>{" "}
            <bdi class="quiet">
              {source_path} · {location}
            </bdi>
          </Row>
        ))}
        <Row name={words.fields.labels}>{data.labels.map((label) => label.replace(/^label:/, "")).join(", ")}</Row>
        <Row name="SHA-256">
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
            <a href={api(`/messages/${id}/source`)} target="_blank" rel="noreferrer noopener">
              {words.source}
            </a>
            <a download="" href={`${apiOf(application.shell, archive)}/messages/${id}/original`}>
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
      <People people={shown} operator={operator} areAddressesTold={true} />
      {rest === 0 ? null : (
        <button
          type="button"
          class="text"
          title={number(people.length, "person", "people")}
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

interface RowProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

function Row({ name, children }: RowProps) {
  if (children === null || children === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
