import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { MessageDetailWire } from "../../http/query-api/wire.ts";
import { type BodyPart, splitBody } from "../../text/split-body.ts";
import { apiOf, useAddress, useApplication, usePlace } from "../application.ts";
import { momentOf, sizeOf } from "../formats.ts";
import { Icon } from "../icon.tsx";
import { operatorClause } from "../query-text.ts";
import { FaultMessage, Skeleton } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { number, WORDS } from "../words.ts";

/** Recipients that are shown before somebody asks for all: one mail had 1,029. */
const FEW_RECIPIENTS = 8;

/** One message: who, when, what is its own, what it quotes, its files. */
export function MessagePane({ id }: { readonly id: string }) {
  const { shell, isUtc } = useApplication();
  const { archive } = usePlace();
  const path = `${apiOf(shell, archive)}/query/messages/${encodeURIComponent(id)}`;
  const { data: message, fault, retry } = useAnswer<MessageDetailWire>(path);
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (message === null) return <Skeleton rows={8} height={24} />;
  return (
    <article class="message">
      <h1 dir="auto">{message.subject === "" ? WORDS.noSubject : message.subject}</h1>
      <p class="quiet">{message.sent_at === null ? WORDS.undated : momentOf(message.sent_at, isUtc.value)}</p>
      <dl class="fields">
        <Field
          name={WORDS.message.from}
          operator="from"
          emails={message.from_email === "" ? [] : [message.from_email]}
        />
        <Field
          name={WORDS.message.sender}
          operator="from"
          emails={message.sender_email === null ? [] : [message.sender_email]}
        />
        <Field name={WORDS.message.to} operator="to" emails={message.to_emails} />
        <Field name={WORDS.message.cc} operator="cc" emails={message.cc_emails} />
        <Field name={WORDS.message.bcc} operator="cc" emails={message.bcc_emails} />
      </dl>
      <Body text={message.body} />
      <Files message={message} />
      <Related message={message} />
    </article>
  );
}

interface FieldProps {
  readonly name: string;
  readonly operator: string;
  readonly emails: readonly string[];
}

function Field({ name, operator, emails }: FieldProps) {
  const address = useAddress();
  const isOpen = useSignal(false);
  if (emails.length === 0) return null;
  const shown = isOpen.value ? emails : emails.slice(0, FEW_RECIPIENTS);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {shown.map((email, index) => (
          <span key={email}>
            {index === 0 ? "" : ", "}
            <a href={address("search", {}, { q: operatorClause(operator, email) })}>
              <bdi>{email}</bdi>
            </a>
          </span>
        ))}
        {shown.length === emails.length ? null : (
          <>
            {" "}
            <button
              type="button"
              class="text"
              onClick={() => {
                isOpen.value = true;
              }}
            >
              {WORDS.message.moreRecipients(emails.length - shown.length)}
            </button>
          </>
        )}
      </dd>
    </div>
  );
}

function Body({ text }: { readonly text: string }) {
  const parts = useMemo(() => splitBody(text), [text]);
  return (
    <div class="body" dir="auto">
      {parts.map((part) => (
        <Part key={part.start} part={part} text={text.slice(part.start, part.end)} />
      ))}
    </div>
  );
}

function Part({ part, text }: { readonly part: BodyPart; readonly text: string }) {
  if (part.kind === "own" || text.trim() === "") return <div class="text-of-mail">{text}</div>;
  const lines = text.trim().split("\n").length;
  return (
    <details class={part.kind}>
      <summary>{WORDS.message.folded[part.kind](number(lines, "line"))}</summary>
      <div class="text-of-mail">{text}</div>
    </details>
  );
}

function Files({ message: { id, attachments } }: { readonly message: MessageDetailWire }) {
  const { shell } = useApplication();
  const { archive } = usePlace();
  if (attachments.length === 0) return null;
  return (
    <section class="cards">
      <h2>{WORDS.message.files(attachments.length)}</h2>
      <ul>
        {attachments.map(({ filename, media_type, size_bytes }, index) => (
          <li key={index}>
            <a
              class="card"
              download=""
              title={media_type}
              href={`${apiOf(shell, archive)}/messages/${encodeURIComponent(id)}/attachments/${index + 1}`}
            >
              <Icon name="files" />
              <bdi>{filename}</bdi>
              <span class="quiet">{sizeOf(size_bytes)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Related({ message: { id, thread_id, thread_messages, quotes } }: { readonly message: MessageDetailWire }) {
  const { shell } = useApplication();
  const { archive } = usePlace();
  const address = useAddress();
  return (
    <p class="related">
      {thread_messages.length > 1 ? (
        <a class="button" href={address("search", {}, { q: `thread:${thread_id}`, sort: "oldest", m: id })}>
          <Icon name="conversation" />
          {WORDS.message.conversation}
        </a>
      ) : null}
      {quotes.map((quoted) => (
        <a key={quoted} class="button" href={address("message", { id: quoted })}>
          {WORDS.message.quotes}
        </a>
      ))}
      <a class="button" download="" href={`${apiOf(shell, archive)}/messages/${encodeURIComponent(id)}/original`}>
        <Icon name="save" />
        {WORDS.message.original}
      </a>
    </p>
  );
}
