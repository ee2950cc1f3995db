import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TextWire } from "../../http/explore-api/wire/wire-messages.ts";
import { useApi, useApplication } from "../application.ts";
import { counted } from "../parts/formats.ts";
import { Skeleton } from "../parts/states.tsx";
import { WORDS } from "../words/words.ts";
import { Marked } from "./marked-text.tsx";

export interface PiecesProps {
  readonly messageId: string;
  readonly start: number;
  readonly end: number;
}

/** A range of a long text, loaded piece by piece. */
export function Pieces({ messageId, start, end }: PiecesProps) {
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
        // Skips pieces before the range, shows the first one in it, and requests further ones.
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
