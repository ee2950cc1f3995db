import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RowWire } from "../../http/explore-api/wire.ts";
import type { MessageDetailWire } from "../../http/query-api/wire.ts";
import { apiOf, useAddress, useApplication, usePlace } from "../application.ts";
import { dayOf, momentOf, sizeOf } from "../formats.ts";
import { Icon } from "../icon.tsx";
import { nameOf } from "../person.ts";
import { operatorClause } from "../query-text.ts";
import { FaultMessage, Skeleton } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { WORDS } from "../words.ts";
import { MailText } from "./mail-text.tsx";
import { Recipients } from "./recipients.tsx";

export interface ArticleProps {
  readonly row: RowWire;
  /** True for the message that the address names. */
  readonly isNamed: boolean;
  /** True where the subject is that of the conversation. */
  readonly isSubjectTold: boolean;
}

/** A message of a conversation; its text is asked for when it comes near the sight. */
export function MessageArticle({ row, isNamed, isSubjectTold }: ArticleProps) {
  const { isUtc } = useApplication();
  const address = useAddress();
  const article = useRef<HTMLElement>(null);
  const isNear = useIsNear(article, isNamed);
  const author = row.from === null ? WORDS.noSender : nameOf(row.from);
  const clause = row.from === null ? "" : operatorClause("from", row.from.contact_id ?? row.from.email);
  return (
    <article ref={article} id={row.id} class={isNamed ? "message named" : "message"} tabIndex={-1} aria-label={author}>
      <header>
        <p class="line">
          {clause === "" ? (
            <b>{author}</b>
          ) : (
            <a class="who" href={address("search", {}, { q: clause })}>
              <bdi>{author}</bdi>
            </a>
          )}
          {row.from === null || row.from.name === "" ? null : <bdi class="quiet address">{row.from.email}</bdi>}
          <a class="when" href={address("message", { id: row.id })} title={row.sent_at ?? ""}>
            <time>{row.sent_at === null ? WORDS.undated : momentOf(row.sent_at, isUtc.value)}</time>
          </a>
        </p>
        {isSubjectTold ? null : (
          <p class="told-subject" dir="auto">
            {row.subject === "" ? WORDS.noSubject : row.subject}
          </p>
        )}
      </header>
      {isNear ? <Content row={row} /> : <Skeleton rows={3} height={20} />}
      <span class="visually-hidden">{row.sent_at === null ? "" : dayOf(row.sent_at, isUtc.value)}</span>
    </article>
  );
}

/** Pixels around the sight in which texts are asked for. */
const NEAR = "600px";

function useIsNear(element: { readonly current: HTMLElement | null }, isAtOnce: boolean): boolean {
  const isNear = useSignal(isAtOnce);
  useEffect(() => {
    if (isNear.peek()) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        isNear.value = true;
        observer.disconnect();
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return isNear.value || isAtOnce;
}

function Content({ row }: { readonly row: RowWire }) {
  const { shell } = useApplication();
  const { archive } = usePlace();
  const path = `${apiOf(shell, archive)}/query/messages/${encodeURIComponent(row.id)}`;
  const { data: message, fault, retry } = useAnswer<MessageDetailWire>(path);
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (message === null) return <Skeleton rows={3} height={20} />;
  return (
    <>
      <Recipients row={row} message={message} />
      <MailText text={message.body} language={null} />
      <Files message={message} />
      <Tools row={row} message={message} />
    </>
  );
}

function Files({ message: { id, attachments } }: { readonly message: MessageDetailWire }) {
  const { shell } = useApplication();
  const { archive } = usePlace();
  if (attachments.length === 0) return null;
  return (
    <section class="cards" aria-label={WORDS.message.files(attachments.length)}>
      <ul>
        {attachments.map(({ filename, media_type, size_bytes }, index) => (
          <li key={`${index} ${filename}`}>
            <a
              class="card"
              download=""
              title={`${WORDS.message.save(filename)} · ${media_type}`}
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

interface ToolsProps {
  readonly row: RowWire;
  readonly message: MessageDetailWire;
}

function Tools({ row, message: { id, quotes } }: ToolsProps) {
  const { shell } = useApplication();
  const { archive } = usePlace();
  const address = useAddress();
  const { message: words } = WORDS;
  return (
    <p class="related quiet">
      <a href={address("search", {}, { q: operatorClause("mailbox", row.mailbox) })}>
        <bdi>{row.mailbox}</bdi>
      </a>
      {row.places > 1 ? <span>{WORDS.search.places(row.places)}</span> : null}
      {row.topic_id === "" ? null : <a href={address("search", {}, { q: `topic:${row.topic_id}` })}>{words.topic}</a>}
      {row.labels.map((label) => (
        <span key={label} class="label">
          {label.replace(/^label:/, "")}
        </span>
      ))}
      {quotes.map((quoted, index) => (
        <a key={quoted} href={address("message", { id: quoted })}>
          {words.quoted(index + 1, quotes.length)}
        </a>
      ))}
      <a download="" href={`${apiOf(shell, archive)}/messages/${encodeURIComponent(id)}/original`}>
        {words.original}
      </a>
      <span>{sizeOf(row.size_bytes)}</span>
    </p>
  );
}
