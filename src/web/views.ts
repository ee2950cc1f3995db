import type { ComponentType } from "preact";
import type { ViewName } from "./addresses.ts";

/** A view of the application, loaded when it is first shown. */
export type View = ComponentType;

const search = async (): Promise<View> => (await import("./search/search-view.tsx")).SearchView;
const message = async (): Promise<View> => (await import("./conversation/message-view.tsx")).MessageView;

/** How each view is loaded; one that is not listed is not built in. */
export const VIEWS: Partial<Readonly<Record<ViewName, () => Promise<View>>>> = { search, message };
