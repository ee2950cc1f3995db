import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { DetailWire, TextWire, ThreadMessageWire } from "../../http/explore-api/wire-messages.ts";
import { messagePath } from "../addresses.ts";
import { useApi, useApplication } from "../application.ts";
import { counted } from "../formats.ts";
import { Skeleton } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { number } from "../words/nouns.ts";
import { WORDS } from "../words/words.ts";
import { useReading } from "./reading.ts";
import { matchedPieces } from "./text-matches.ts";
import { isPreformatted } from "./text-shape.ts";

type Part = ThreadMessageWire["parts"][number];

/** The text of a message: what its author wrote as it is, quotations and signature folded. */
export function MailText({ message }: { readonly message: ThreadMessageWire }) {
  const { isMonospaced } = useReading();
  const { id, parts, language, is_cut, text_length } = message;
  const isCode = useMemo(() => parts.some(({ kind, text }) => kind === "own" && isPreformatted(text)), [parts]);
  // Who passes a mail on without a word shows what it says.
  const isPassedOn = parts.every(({ kind, text }) => kind !== "own" || text.trim() === "");
  const told = parts.at(-1)?.end ?? 0;
  return (
    <div class={isMonospaced || isCode ? "body monospaced" : "body"} dir="auto" lang={language ?? undefined}>
      {parts.map((part) =>
        part.kind === "own" ? (
          <Marked key={part.start} text={part.text} />
        ) : (
          <Folded key={part.start} messageId={id} part={part} isOnly={isPassedOn && part.kind === "forwarded"} />
        ),
      )}
      {is_cut ? <Rest key={id} messageId={id} start={told} length={text_length} /> : null}
    </div>
  );
}

function trimmed(text: string): string {
  return text.replace(/^\s*\n|\s+$/g, "");
}

function Marked({ text }: { readonly text: string }) {
  const { sought } = useReading();
  const shown = trimmed(text);
  const pieces = useMemo(() => matchedPieces(shown, sought), [shown, sought]);
  if (shown === "") return null;
  return (
    <div class="text-of-mail">
      {/* Pieces of a text never change their places. */}
      {pieces.map(([piece, isMatch], index) => (isMatch ? <mark key={index}>{piece}</mark> : <Gaps text={piece} />))}
    </div>
  );
}

/** What redaction leaves: `[REDACTED:email]`. */
const GAP = /\[REDACTED:([a-z_]+)\]/;

/** A text with the gaps that redaction left, each by what stood there. */
function Gaps({ text }: { readonly text: string }) {
  // Every second part is the type of a gap.
  const parts = text.split(GAP);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <span key={at} class="gap" title={WORDS.message.redacted}>
            {part.replaceAll("_", " ")}
          </span>
        ),
      )}
    </>
  );
}

interface QuotationProps {
  readonly messageId: string;
  readonly part: Part;
}

interface FoldedProps extends QuotationProps {
  /** True where the author wrote nothing else. */
  readonly isOnly: boolean;
}

/** What somebody else wrote, or a signature: asked for when it is unfolded. */
function Folded({ messageId, part, isOnly }: FoldedProps) {
  const { folding } = useReading();
  const isOpen = useSignal(isOnly || folding.peek().isOpen);
  const { turn } = folding.value;
  useEffect(() => {
    if (turn > 0) isOpen.value = folding.peek().isOpen;
  }, [turn]);
  const { kind, lines, text } = part;
  if (lines === 0 || text.trim() === "") return null;
  return (
    <details
      class={kind}
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        {WORDS.message.folded[kind](number(lines, "line"))}
        {kind === "signature" ? null : <span class="first-line">{text.trim()}</span>}
      </summary>
      {isOpen.value ? (
        kind === "signature" ? (
          <Marked text={text} />
        ) : (
          <Quotation messageId={messageId} part={part} />
        )
      ) : null}
    </details>
  );
}

function Quotation({ messageId, part: { start, end } }: QuotationProps) {
  const api = useApi();
  const { data } = useAnswer<DetailWire>(api(messagePath(messageId)));
  if (data === null) return <Skeleton rows={3} height={20} />;
  const isWhole = end <= data.text.length;
  return isWhole ? (
    <Marked text={data.text.slice(start, end)} />
  ) : (
    <Pieces messageId={messageId} start={start} end={end} />
  );
}

interface RestProps {
  readonly messageId: string;
  readonly start: number;
  readonly length: number;
}

/** What is left of a long text, on demand: megabytes at once took seconds. */
function Rest({ messageId, start, length }: RestProps) {
  const isOpen = useSignal(false);
  if (isOpen.value) return <Pieces messageId={messageId} start={start} end={length} />;
  return (
    <button
      type="button"
      class="button"
      onClick={() => {
        isOpen.value = true;
      }}
    >
      {WORDS.message.moreText(counted(length - start))}
    </button>
  );
}

interface PiecesProps {
  readonly messageId: string;
  readonly start: number;
  readonly end: number;
}

/** A range of a text that comes in pieces, one at a time. */
function Pieces({ messageId, start, end }: PiecesProps) {
  const { answers } = useApplication();
  const api = useApi();
  const pieces = useSignal<readonly TextWire[]>([]);
  const next = useSignal<number | null>(0);
  useEffect(() => {
    const part = next.value;
    if (part === null) return undefined;
    const control = new AbortController();
    answers
      .ask<TextWire>(api(`/messages/${messageId}/text?part=${part}`), control.signal)
      .then((piece) => {
        const pieceEnd = piece.start + piece.text.length;
        if (pieceEnd > start) pieces.value = [...pieces.peek(), piece];
        // What lies before the range is passed over, the first piece in it is shown, and further ones are asked for.
        next.value = pieceEnd <= start && part + 1 < piece.text_pieces ? part + 1 : null;
      })
      .catch(() => undefined);
    return () => control.abort();
  }, [next.value]);
  const last = pieces.value.at(-1);
  const shownEnd = last === undefined ? start : last.start + last.text.length;
  return (
    <>
      {pieces.value.map(({ part, start: at, text }) => (
        <Marked key={part} text={text.slice(Math.max(0, start - at), Math.max(0, end - at))} />
      ))}
      {next.value !== null ? <Skeleton rows={3} height={20} /> : null}
      {last !== undefined && next.value === null && shownEnd < end && last.part + 1 < last.text_pieces ? (
        <button
          type="button"
          class="button"
          onClick={() => {
            next.value = last.part + 1;
          }}
        >
          {WORDS.message.moreText(counted(end - shownEnd))}
        </button>
      ) : null}
    </>
  );
}
