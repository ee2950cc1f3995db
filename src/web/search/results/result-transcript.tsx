import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RowWire } from "../../../http/explore-api/wire/wire.ts";
import type { DetailWire } from "../../../http/explore-api/wire/wire-messages.ts";
import { useAddress, useApi, useApplication } from "../../application.ts";
import { PrintFoot } from "../../conversation/print-foot.tsx";
import { momentOf } from "../../parts/formats.ts";
import { Icon } from "../../parts/icon.tsx";
import { nameOf } from "../../parts/person.ts";
import { FaultMessage, Skeleton } from "../../parts/states.tsx";
import { messagePath } from "../../shell/addresses.ts";
import { printElement } from "../../shell/print.ts";
import { useAnswer } from "../../shell/use-answer.ts";
import { number } from "../../words/nouns.ts";
import { WORDS } from "../../words/words.ts";
import type { MessagePage } from "../state/search-page.ts";
import type { SearchState } from "../state/search-state.ts";

/** Messages per page: more are loaded near its end. */
const PAGE_MESSAGES = 20;
/** Limit of printed messages: all their texts are in the page, about 2 KB each. */
const MAX_PRINTED = 2000;
/** Distance in pixels before the viewport at which texts are requested. */
const NEAR = "800px";

/** A result as one text, oldest first, without quotations. */
export function ResultTranscript({ state, total }: { readonly state: SearchState; readonly total: number }) {
  const { navigation } = useApplication();
  // Restores the number of pages when the user returns.
  const pages = useSignal(Number(navigation.recall("read") ?? 1));
  const isWhole = useSignal(false);
  const box = useRef<HTMLElement>(null);
  const printAll = (): void => {
    pages.value = Math.ceil(Math.min(total, MAX_PRINTED) / PAGE_MESSAGES);
    isWhole.value = true;
    printElement(box.current!);
  };
  const offsets = Array.from({ length: pages.value }, (_, page) => page * PAGE_MESSAGES).filter((at) => at < total);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys (WCAG 2.1.1)
    <section ref={box} class="rows read-list" tabIndex={0} aria-label={WORDS.search.resultsOf(total)}>
      <header class="print-head">
        {state.q === "" ? WORDS.search.everything : state.q} · {number(total, "message")}
        <span class="partial"> · {WORDS.search.printedInPart}</span>
      </header>
      <button type="button" class="button print-all" onClick={printAll}>
        <Icon name="print" /> {total > MAX_PRINTED ? WORDS.search.printFirst(MAX_PRINTED) : WORDS.message.print}
      </button>
      {offsets.map((offset) => (
        <ReadPage key={offset} state={state} offset={offset} isWhole={isWhole.value} />
      ))}
      {pages.value * PAGE_MESSAGES >= total ? null : (
        <Near
          key={pages.value}
          onNear={() => {
            pages.value++;
            navigation.keep("read", pages.value);
          }}
        />
      )}
    </section>
  );
}

function Near({ onNear }: { readonly onNear: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear();
      },
      { rootMargin: NEAR },
    );
    observer.observe(mark.current!);
    return () => observer.disconnect();
  }, []);
  return <div ref={mark} class="bone" />;
}

interface ReadPageProps {
  readonly state: SearchState;
  readonly offset: number;
  /** True to read all texts, visible or not. */
  readonly isWhole: boolean;
}

function ReadPage({ state, offset, isWhole }: ReadPageProps) {
  const path = state.pathOf("/messages", { sort: "oldest", repeats: "listed", offset, limit: PAGE_MESSAGES });
  const { data, fault, retry } = useAnswer<MessagePage>(path);
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={6} height={48} />;
  return (
    <>
      {data.messages.map((row) => (
        <ReadMessage key={row.id} row={row} isWhole={isWhole} />
      ))}
    </>
  );
}

function ReadMessage({ row, isWhole }: { readonly row: RowWire; readonly isWhole: boolean }) {
  const { isUtc } = useApplication();
  const api = useApi();
  const address = useAddress();
  const isNear = useSignal(false);
  const isAsked = isNear.value || isWhole;
  const { data, fault, retry } = useAnswer<DetailWire>(isAsked ? api(messagePath(row.id)) : null);
  const author = row.from === null ? WORDS.noSender : nameOf(row.from);
  const parts = data?.parts.filter(({ kind }) => kind === "own").map(({ start, end }) => data.text.slice(start, end));
  const own = parts?.join("\n").trim();
  return (
    <article
      class={data === null && fault === null ? "message unread" : "message"}
      aria-label={author}
      data-waits={isAsked && data === null && fault === null ? "" : undefined}
    >
      <p class="line">
        <bdi class="who">{author}</bdi>
        <a class="when" href={address("message", { id: row.id })}>
          <time>{row.sent_at === null ? WORDS.undated : momentOf(row.sent_at, isUtc.value)}</time>
        </a>
      </p>
      <p class="own-subject" dir="auto">
        {row.subject === "" ? WORDS.noSubject : row.subject}
      </p>
      {isAsked ? null : (
        <Near
          onNear={() => {
            isNear.value = true;
          }}
        />
      )}
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      <div class="text-of-mail" dir="auto" lang={data?.language ?? undefined}>
        {own === "" ? <span class="quiet">{WORDS.search.nothingOwn}</span> : own}
      </div>
      {data === null ? null : <PrintFoot messageId={data.message_id} sha256={data.sha256} />}
    </article>
  );
}
