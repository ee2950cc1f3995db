import { searchAddress, type View, viewOf } from "./address-state.ts";
import { find, make } from "./elements.ts";
import { heading, listView, searchView } from "./message-list.ts";
import { messageView } from "./message-view.ts";
import { listMessages, PAGE_SIZE, readMessage, readThread, search } from "./query-api.ts";

const form = find("search", HTMLFormElement);
const input = find("query", HTMLInputElement);
const answer = find("answer", HTMLElement);
const overview = find("overview", HTMLElement);
const main = find("main", HTMLElement);

/** Nodes of a view; null for the overview, which stands in the page. */
async function nodesOf(view: View, signal: AbortSignal): Promise<readonly Node[] | null> {
  if (view.kind === "overview") return null;
  if (view.kind === "search") return searchView(view.query, view.limit, await search(view.query, view.limit, signal));
  if (view.kind === "messages") return listView(view.parameters, await listMessages(view.parameters, signal));
  const message = await readMessage(view.id, signal);
  return messageView(message, await readThread(message.thread_id, signal));
}

/** Only the newest request may draw: an answer that comes late is thrown away. */
let asking = new AbortController();

async function show(): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const view = viewOf(location.hash, PAGE_SIZE);
  if (view.kind === "search") input.value = view.query;
  document.body.classList.add("busy");
  try {
    draw(await nodesOf(view, signal));
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    draw([heading("That did not work", ""), make("p", "", reason)]);
  }
  document.body.classList.remove("busy");
}

function draw(nodes: readonly Node[] | null): void {
  answer.hidden = nodes === null;
  overview.hidden = nodes !== null;
  answer.replaceChildren(...(nodes ?? []));
  if (nodes === null) return;
  window.scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const query = input.value.trim();
  location.hash = query === "" ? "#/" : searchAddress(query);
});

addEventListener("hashchange", () => {
  // A link to a place of the page is no view.
  if (location.hash !== "#main") void show();
});

addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
  input.select();
});

void show();
