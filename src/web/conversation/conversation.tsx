import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ThreadWire } from "../../http/explore-api/wire/wire-messages.ts";
import { useAddress, useApi, useApplication, useParameters, useRoute } from "../application.ts";
import { MarkBar } from "../notebook/mark-editor.tsx";
import { useTagKeys } from "../notebook/use-marks.ts";
import { copyLink } from "../parts/copy-link.ts";
import { counted, dayOf } from "../parts/formats.ts";
import { IconButton } from "../parts/icon.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { FaultMessage, Skeleton } from "../parts/states.tsx";
import { ThreadExport } from "../search/results/export-menu.tsx";
import { formatParameters, type Parameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { useKeys } from "../shell/use-keys.ts";
import { useTitle } from "../shell/use-title.ts";
import { number } from "../words/nouns.ts";
import { WORDS } from "../words/words.ts";
import { type DisplayOptions, DisplayOptionsContext, useUrlDisplayOptions } from "./display-options.ts";
import { MessageArticle } from "./message-article.tsx";
import { replyTree } from "./reply-tree.ts";
import type { HighlightedWords } from "./text-matches.ts";

/** Messages of a conversation per request. */
const PAGE_MESSAGES = 50;

interface ConversationProps {
  readonly threadId: string;
  /** The requested message; "" for none. */
  readonly messageId: string;
  readonly sought: HighlightedWords;
}

/** A conversation, oldest message first, with quotations collapsed. */
export function Conversation({ threadId, messageId, sought }: ConversationProps) {
  const api = useApi();
  const { view, parameters } = useRoute();
  const isOnItsOwn = view !== "search";
  const skip = parameters.get("skip");
  const pathOf = (asked: Parameters) => api(`/threads/${encodeURIComponent(threadId)}${formatParameters(asked)}`);
  const first = useAnswer<ThreadWire>(pathOf({ offset: skip }));
  // True if a message beyond the first page is requested and the user has not turned pages.
  const isElsewhere =
    skip === null && messageId !== "" && first.data?.messages.every(({ id }) => id !== messageId) === true;
  const other = useAnswer<ThreadWire>(isElsewhere && !first.isStale ? pathOf({ message: messageId }) : null);
  const { data, fault, retry, isStale } = isElsewhere && !first.isStale ? other : first;
  const addressed = useUrlDisplayOptions(sought);
  const mentioned = useMemo(
    () => new Map(data?.mentioned.map(({ message_id, id }) => [message_id, id] as const)),
    [data],
  );
  const reading = { ...addressed, mentioned };
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} isView={isOnItsOwn} />;
  if (data === null || isStale) return <Skeleton rows={6} height={48} />;
  return (
    <DisplayOptionsContext.Provider value={reading}>
      {isOnItsOwn ? <SubjectAsTitle page={data} /> : null}
      <Messages key={threadId} page={data} messageId={messageId} reading={reading} threadId={threadId} />
      <ThreadPages page={data} />
    </DisplayOptionsContext.Provider>
  );
}

/** Links to the messages before and after those of a page. */
function ThreadPages({ page: { offset, message_count: count } }: { readonly page: ThreadWire }) {
  const change = useParameters();
  const later = count - offset - PAGE_MESSAGES;
  if (offset === 0 && later <= 0) return null;
  const turn = (text: string, skip: number) => (
    <button type="button" class="button" onClick={() => change({ skip, html: null })}>
      {text}
    </button>
  );
  return (
    <p class="related">
      {offset === 0 ? null : turn(WORDS.search.earlier(offset), Math.max(0, offset - PAGE_MESSAGES))}
      {later <= 0 ? null : turn(WORDS.search.later(later), offset + PAGE_MESSAGES)}
    </p>
  );
}

/** Names the conversation in the title of the window. */
function SubjectAsTitle({ page: { subject, message_count } }: { readonly page: ThreadWire }) {
  useTitle(`${subject === "" ? WORDS.noSubject : subject} · ${number(message_count, "message")}`);
  return null;
}

interface MessagesProps {
  readonly page: ThreadWire;
  readonly threadId: string;
  readonly messageId: string;
  readonly reading: DisplayOptions;
}

function Messages({ page, threadId, messageId, reading }: MessagesProps) {
  const { isUtc } = useApplication();
  const address = useAddress();
  const box = useRef<HTMLElement>(null);
  const { messages, subject, message_count, people_count, first_message, last_message } = page;
  const [first] = messages;
  const ordered = reading.isTree ? replyTree(messages) : messages.map((message) => [message, 0] as const);
  useConversationKeys(box, reading);
  useTagKeys("message", () => {
    const article = focusedArticle(box.current!) ?? box.current!.querySelector("article.named, article");
    return article === null ? [] : [article.id];
  });
  useEffect(() => {
    if (messageId !== "" && messageId !== first?.id)
      document.getElementById(messageId)?.scrollIntoView({ block: "start" });
  }, [messageId]);
  const days = [first_message, last_message].flatMap((at) => (at === null ? [] : [dayOf(at, isUtc.value)]));
  const span = days.length === 0 ? WORDS.undated : [...new Set(days)].join(" – ");
  return (
    <section ref={box} class="conversation" aria-label={WORDS.views.thread}>
      <header class="conversation-head">
        <h1 dir="auto">{subject === "" ? WORDS.noSubject : subject}</h1>
        <p class="quiet">
          <a href={address("search", {}, { q: `thread:${threadId}` })}>{number(message_count, "message")}</a> ·{" "}
          <a href={address("people", {}, { thread: threadId })}>{number(people_count, "person")}</a> · {span}
        </p>
        <ReadingTools reading={reading} threadId={threadId} box={box} isSingle={message_count === 1} />
        <MarkBar kind="thread" id={threadId} />
      </header>
      {messages.length < 3 ? null : (
        <Lazy load={() => import("./outline.tsx")}>
          {({ Outline }) => (
            <Outline
              messages={messages}
              messageId={messageId}
              onChosen={(id) => focusArticle(document.getElementById(id))}
            />
          )}
        </Lazy>
      )}
      <div class="messages">
        {ordered.map(([message, depth]) => (
          <MessageArticle
            key={message.id}
            message={message}
            depth={depth}
            isNamed={message.id === messageId}
            isSubjectShown={bareSubject(message.subject) === bareSubject(subject)}
          />
        ))}
      </div>
    </section>
  );
}

/** A subject without reply and forward marks, to detect changes. */
function bareSubject(subject: string): string {
  return subject.replace(/^(?:\s*(?:re|fwd?|aw|wg|sv|tr)\s*:)+\s*/i, "").trim();
}

interface ReadingToolsProps {
  readonly reading: DisplayOptions;
  readonly threadId: string;
  readonly box: RefObject<HTMLElement | null>;
  /** True for a conversation of one message, which has nothing to expand or to arrange. */
  readonly isSingle: boolean;
}

function ReadingTools({ reading, threadId, box, isSingle }: ReadingToolsProps) {
  const application = useApplication();
  const address = useAddress();
  const { folding, sought } = reading;
  const { message } = WORDS;
  const isOpen = folding.value.isOpen;
  const hasMatches = sought.words.size + sought.wildcards.length > 0;
  return (
    <div class="reading-tools">
      {isSingle ? null : (
        <>
          <button type="button" class="button" onClick={() => foldAll(reading, !isOpen)}>
            {isOpen ? message.foldAll : message.unfoldAll}
          </button>
          <IconButton icon="tree" name={message.tree} aria-pressed={reading.isTree} onClick={reading.turnTree} />
        </>
      )}
      <IconButton
        icon="monospaced"
        name={message.monospaced}
        aria-pressed={reading.isMonospaced}
        onClick={reading.turnMonospaced}
      />
      <IconButton
        icon="link"
        name={WORDS.actions.copyLink}
        onClick={() => copyLink(application, address("thread", { id: threadId }))}
      />
      <IconButton icon="print" name={message.print} onClick={() => print()} />
      <ThreadExport id={threadId} />
      {hasMatches ? <Matches box={box} /> : null}
    </div>
  );
}

/** Steps through highlighted words. */
function Matches({ box }: { readonly box: RefObject<HTMLElement | null> }) {
  const at = useSignal<readonly [at: number, of: number]>([0, 0]);
  const step = (by: number): void => {
    at.value = stepMatch(box.current!, by);
  };
  const [place, count] = at.value;
  return (
    <span class="matches">
      <IconButton icon="back" name={WORDS.message.previousMatch} onClick={() => step(-1)} />
      <span role="status">{count === 0 ? WORDS.message.matches : `${counted(place)} / ${counted(count)}`}</span>
      <IconButton icon="forward" name={WORDS.message.nextMatch} onClick={() => step(1)} />
    </span>
  );
}

function useConversationKeys(box: RefObject<HTMLElement | null>, reading: DisplayOptions): void {
  useKeys({
    nextMessage: () => stepArticle(box.current!, 1),
    previousMessage: () => stepArticle(box.current!, -1),
    nextMatch: () => void stepMatch(box.current!, 1),
    previousMatch: () => void stepMatch(box.current!, -1),
    unfold: () => foldAll(reading, true),
    tree: reading.turnTree,
    html() {
      const within = box.current!;
      const article =
        focusedArticle(within) ?? within.querySelector("article.named") ?? within.querySelector("article");
      if (article !== null) reading.turnFormatted(article.id);
    },
    fold: () => foldAll(reading, false),
    monospaced: reading.turnMonospaced,
  });
}

function foldAll({ folding }: DisplayOptions, isOpen: boolean): void {
  folding.value = { isOpen, turn: folding.value.turn + 1 };
}

function focusArticle(article: HTMLElement | null | undefined): void {
  article?.focus({ preventScroll: true });
  article?.scrollIntoView({ block: "start" });
}

function focusedArticle(box: HTMLElement): HTMLElement | null {
  const article = document.activeElement?.closest("article") ?? null;
  return article !== null && box.contains(article) ? article : null;
}

/** Moves the focus to the previous or next message. */
function stepArticle(box: HTMLElement, by: number): void {
  const articles = [...box.querySelectorAll("article")];
  const at = articles.indexOf(focusedArticle(box)!);
  focusArticle(articles[Math.max(0, Math.min(articles.length - 1, at + by))]);
}

/** Moves to the next mark cyclically; returns its index. */
function stepMatch(box: HTMLElement, by: number): readonly [at: number, of: number] {
  const marks = [...box.querySelectorAll(".text-of-mail mark")];
  if (marks.length === 0) return [0, 0];
  const at = marks.findIndex((mark) => mark.classList.contains("current"));
  const next = at < 0 ? (by > 0 ? 0 : marks.length - 1) : (at + by + marks.length) % marks.length;
  marks[at]?.classList.remove("current");
  marks[next]!.classList.add("current");
  marks[next]!.scrollIntoView({ block: "center" });
  return [next + 1, marks.length];
}
