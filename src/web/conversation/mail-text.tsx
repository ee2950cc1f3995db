import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { DetailWire, ThreadMessageWire } from "../../http/explore-api/wire/wire-messages.ts";
import { useApi } from "../application.ts";
import { counted } from "../parts/formats.ts";
import { Lazy } from "../parts/lazy.tsx";
import { Skeleton } from "../parts/states.tsx";
import { messagePath } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { WORDS } from "../words/words.ts";
import { useDisplayOptions } from "./display-options.ts";
import { Marked } from "./marked-text.tsx";
import type { PiecesProps } from "./text-pieces.tsx";
import { isPreformatted } from "./text-shape.ts";

type Part = ThreadMessageWire["parts"][number];

/** The text of a message, with quotations and signature collapsed. */
export function MailText({ message }: { readonly message: ThreadMessageWire }) {
  const { isMonospaced } = useDisplayOptions();
  const { id, parts, language, is_cut, text_length } = message;
  const isCode = useMemo(() => parts.some(({ kind, text }) => kind === "own" && isPreformatted(text)), [parts]);
  // A mail forwarded without comment shows the forwarded text.
  const isPassedOn = parts.every(({ kind, text }) => kind !== "own" || text.trim() === "");
  const shownEnd = parts.at(-1)?.end ?? 0;
  return (
    <div class={isMonospaced || isCode ? "body monospaced" : "body"} dir="auto" lang={language ?? undefined}>
      {parts.map((part) =>
        part.kind === "own" ? (
          <Marked key={part.start} text={part.text} />
        ) : (
          <Folded key={part.start} messageId={id} part={part} isOnly={isPassedOn && part.kind === "forwarded"} />
        ),
      )}
      {is_cut ? <Rest key={id} messageId={id} start={shownEnd} length={text_length} /> : null}
    </div>
  );
}

interface QuotationProps {
  readonly messageId: string;
  readonly part: Part;
}

interface FoldedProps extends QuotationProps {
  /** True if the author wrote nothing else. */
  readonly isOnly: boolean;
}

/** A quotation or signature, loaded when it is expanded. */
function Folded({ messageId, part, isOnly }: FoldedProps) {
  const { folding } = useDisplayOptions();
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
    <LaterPieces messageId={messageId} start={start} end={end} />
  );
}

interface RestProps {
  readonly messageId: string;
  readonly start: number;
  readonly length: number;
}

/** The rest of a long text, loaded on demand: megabytes at once took seconds. */
function Rest({ messageId, start, length }: RestProps) {
  const isOpen = useSignal(false);
  if (isOpen.value) return <LaterPieces messageId={messageId} start={start} end={length} />;
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

/** A range of a long text, which few messages have. */
function LaterPieces(props: PiecesProps) {
  return (
    <Lazy load={() => import("./text-pieces.tsx")} meanwhile={<Skeleton rows={3} height={20} />}>
      {({ Pieces }) => <Pieces {...props} />}
    </Lazy>
  );
}
