import { useEffect } from "preact/hooks";
import type { DetailWire } from "../../http/explore-api/wire/wire-messages.ts";
import { useApi, useApplication, useRoute } from "../application.ts";
import { FaultMessage, Skeleton } from "../parts/states.tsx";
import { messagePath } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { Conversation } from "./conversation.tsx";
import type { HighlightedWords } from "./text-matches.ts";

interface MessagePaneProps {
  readonly id: string;
  readonly sought: HighlightedWords;
}

/** A message in the conversation it belongs to. */
export function MessagePane({ id, sought }: MessagePaneProps) {
  const api = useApi();
  const { data: message, isStale, fault, retry } = useAnswer<DetailWire>(api(messagePath(id)));
  const { openedIn } = useApplication();
  const { archive, view } = useRoute();
  useEffect(() => {
    if (message !== null && !isStale) openedIn(archive).add(message.id);
  }, [message, isStale]);
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} isView={view !== "search"} />;
  if (message === null || isStale) return <Skeleton rows={6} height={48} />;
  return <Conversation threadId={message.thread_id} messageId={id} sought={sought} />;
}
