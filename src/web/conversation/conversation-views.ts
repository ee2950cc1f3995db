import { PermalinkView } from "./permalink-view.tsx";
import { ThreadView } from "./thread-view.tsx";

/** Views that are loaded together: one file is smaller than several. */
export const CONVERSATION_VIEWS = { thread: ThreadView, permalink: PermalinkView } as const;
