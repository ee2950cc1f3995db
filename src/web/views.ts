import type { ComponentType } from "preact";
import type { ViewName } from "./shell/addresses.ts";

/** A view of the application, loaded when it is first shown. */
export type View = ComponentType;

const archives = async (): Promise<View> => (await import("./archives/archives-view.tsx")).ArchivesView;
const opening = async (): Promise<View> => (await import("./archives/opening-view.tsx")).OpeningView;
const search = async (): Promise<View> => (await import("./search/search-view.tsx")).SearchView;
const thread = async (): Promise<View> => (await import("./conversation/thread-view.tsx")).ThreadView;
const permalink = async (): Promise<View> => (await import("./conversation/permalink-view.tsx")).PermalinkView;
const overview = async (): Promise<View> => (await import("./overview/overview-view.tsx")).OverviewView;
const about = async (): Promise<View> => (await import("./about/about-view.tsx")).AboutView;
const warnings = async (): Promise<View> => (await import("./about/warnings-view.tsx")).WarningsView;
const mailboxes = async (): Promise<View> => (await import("./mailboxes/mailboxes-view.tsx")).MailboxesView;
const files = async (): Promise<View> => (await import("./files/files-view.tsx")).FilesView;
const calendar = async (): Promise<View> => (await import("./calendar/calendar-view.tsx")).CalendarView;
const items = async (): Promise<View> => (await import("./items/items-view.tsx")).ItemsView;
const hits = async (): Promise<View> => (await import("./hits/hits-view.tsx")).HitsView;
const notebook = async (): Promise<View> => (await import("./notebook/notebook-view.tsx")).NotebookView;
const people = async (): Promise<View> => (await import("./people/people-view.tsx")).PeopleView;
const person = async (): Promise<View> => (await import("./people/person-view.tsx")).PersonView;
const between = async (): Promise<View> => (await import("./between/between-view.tsx")).BetweenView;
const graph = async (): Promise<View> => (await import("./graph/graph-view.tsx")).GraphView;
const help = async (): Promise<View> => (await import("./help/help-view.tsx")).HelpView;
const topics = async (): Promise<View> => (await import("./topics/topics-view.tsx")).TopicsView;
const topic = async (): Promise<View> => (await import("./topics/topic-view.tsx")).TopicView;

/** Loads each view. */
export const VIEWS: Readonly<Record<ViewName, () => Promise<View>>> = {
  archives,
  opening,
  overview,
  search,
  thread,
  message: thread,
  permalink,
  people,
  person,
  between,
  topics,
  topic,
  about,
  warnings,
  mailboxes,
  files,
  calendar,
  items,
  graph,
  hits,
  notebook,
  help,
};
