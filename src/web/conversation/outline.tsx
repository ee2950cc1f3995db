import type { ThreadMessageWire } from "../../http/explore-api/wire/wire-messages.ts";
import { useApplication, useRoute } from "../application.ts";
import { momentOf } from "../parts/formats.ts";
import { nameOf } from "../parts/person.ts";
import { WORDS } from "../words/words.ts";
import { replyTree } from "./reply-tree.ts";

/** Minimum width at which the outline is open next to a conversation. */
const ROOM_BESIDE = matchMedia("(min-width: 1200px)");

interface OutlineProps {
  readonly messages: readonly ThreadMessageWire[];
  readonly messageId: string;
  readonly onChosen: (id: string) => void;
}

/** The messages of a conversation and their replies, as links. */
export function Outline({ messages, messageId, onChosen }: OutlineProps) {
  const { isUtc } = useApplication();
  const isBeside = useRoute().view !== "search" && ROOM_BESIDE.matches;
  return (
    <details class="outline" open={isBeside}>
      <summary>{WORDS.message.outline}</summary>
      <ol>
        {replyTree(messages).map(([{ id, from, sent_at }, depth]) => (
          <li key={id} class="reply" style={{ "--depth": depth }}>
            <button
              type="button"
              class="text"
              aria-current={id === messageId ? "true" : undefined}
              onClick={() => onChosen(id)}
            >
              <bdi>{from === null ? WORDS.noSender : nameOf(from)}</bdi>
              <span class="quiet">{sent_at === null ? WORDS.undated : momentOf(sent_at, isUtc.value)}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
