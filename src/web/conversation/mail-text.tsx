import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type BodyPart, splitBody } from "../../text/split-body.ts";
import { counted } from "../formats.ts";
import { number, WORDS } from "../words.ts";
import { useReading } from "./reading.ts";
import { matchedPieces } from "./text-matches.ts";
import { isPreformatted } from "./text-shape.ts";

/** Characters of a text that are drawn at once: two megabytes in one piece took seconds. */
const PIECE_CHARACTERS = 100_000;

/** The text of a message: what its author wrote as it is, quotations and signature folded. */
export function MailText({ text, language }: { readonly text: string; readonly language: string | null }) {
  const { isMonospaced } = useReading();
  const end = useSignal(PIECE_CHARACTERS);
  const shown = text.slice(0, end.value);
  const parts = useMemo(() => splitBody(shown), [shown]);
  const isCode = useMemo(() => isPreformatted(text), [text]);
  const rest = text.length - shown.length;
  return (
    <div class={(isMonospaced.value ?? isCode) ? "body monospaced" : "body"} dir="auto" lang={language ?? undefined}>
      {parts.map((part) => (
        <Part key={`${part.start} ${part.kind}`} part={part} text={shown.slice(part.start, part.end)} />
      ))}
      {rest === 0 ? null : (
        <button
          type="button"
          class="button"
          onClick={() => {
            end.value += PIECE_CHARACTERS;
          }}
        >
          {WORDS.message.moreText(counted(rest))}
        </button>
      )}
    </div>
  );
}

function Part({ part, text }: { readonly part: BodyPart; readonly text: string }) {
  const { folding } = useReading();
  const isOpen = useSignal(folding.peek().isOpen);
  const { turn } = folding.value;
  useEffect(() => {
    isOpen.value = folding.peek().isOpen;
  }, [turn]);
  const trimmed = text.replace(/^\s*\n|\s+$/g, "");
  if (trimmed === "") return null;
  if (part.kind === "own") return <Marked text={trimmed} />;
  const lines = trimmed.split("\n").length;
  return (
    <details
      class={part.kind}
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{WORDS.message.folded[part.kind](number(lines, "line"))}</summary>
      {isOpen.value ? <Marked text={trimmed} /> : null}
    </details>
  );
}

function Marked({ text }: { readonly text: string }) {
  const { sought } = useReading();
  const pieces = useMemo(() => matchedPieces(text, sought), [text, sought]);
  return (
    <div class="text-of-mail">
      {/* Pieces of a text never change their places. */}
      {pieces.map(([piece, isMatch], index) => (isMatch ? <mark key={index}>{piece}</mark> : piece))}
    </div>
  );
}
