import { TopicView } from "./topic-view.tsx";
import { TopicsView } from "./topics-view.tsx";

/** Views that are loaded together: one file is smaller than several. */
export const TOPIC_VIEWS = { topics: TopicsView, topic: TopicView } as const;
