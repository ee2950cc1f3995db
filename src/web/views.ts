import type { ComponentType } from "preact";
import type { ViewName } from "./shell/addresses.ts";

/** A view of the application, loaded when it is first shown. */
export type View = ComponentType;

const archives = async (): Promise<View> => (await import("./archives/archives-view.tsx")).ArchivesView;
const opening = async (): Promise<View> => (await import("./archives/opening-view.tsx")).OpeningView;
const search = async (): Promise<View> => (await import("./search/search-view.tsx")).SearchView;
const thread = async (): Promise<View> =>
  (await import("./conversation/conversation-views.ts")).CONVERSATION_VIEWS.thread;
const permalink = async (): Promise<View> =>
  (await import("./conversation/conversation-views.ts")).CONVERSATION_VIEWS.permalink;
const overview = async (): Promise<View> => (await import("./overview/overview-view.tsx")).OverviewView;
const about = async (): Promise<View> => (await import("./about/about-views.ts")).ABOUT_VIEWS.about;
const warnings = async (): Promise<View> => (await import("./about/about-views.ts")).ABOUT_VIEWS.warnings;
const mailboxes = async (): Promise<View> => (await import("./items/item-views.ts")).ITEM_VIEWS.mailboxes;
const files = async (): Promise<View> => (await import("./items/item-views.ts")).ITEM_VIEWS.files;
const calendar = async (): Promise<View> => (await import("./items/item-views.ts")).ITEM_VIEWS.calendar;
const items = async (): Promise<View> => (await import("./items/item-views.ts")).ITEM_VIEWS.items;
const hits = async (): Promise<View> => (await import("./hits/hits-view.tsx")).HitsView;
const notebook = async (): Promise<View> => (await import("./notebook/notebook-view.tsx")).NotebookView;
const people = async (): Promise<View> => (await import("./people/people-views.ts")).PEOPLE_VIEWS.people;
const person = async (): Promise<View> => (await import("./people/people-views.ts")).PEOPLE_VIEWS.person;
const between = async (): Promise<View> => (await import("./people/people-views.ts")).PEOPLE_VIEWS.between;
const graph = async (): Promise<View> => (await import("./graph/graph-view.tsx")).GraphView;
const help = async (): Promise<View> => (await import("./help/help-view.tsx")).HelpView;
const topics = async (): Promise<View> => (await import("./topics/topics-views.ts")).TOPIC_VIEWS.topics;
const topic = async (): Promise<View> => (await import("./topics/topics-views.ts")).TOPIC_VIEWS.topic;
const mentions = async (): Promise<View> => (await import("./people/people-views.ts")).PEOPLE_VIEWS.mentions;

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
  mentions,
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
