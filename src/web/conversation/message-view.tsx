import { usePlace } from "../application.ts";
import { SearchBox } from "../search/search-box.tsx";
import { MessagePane } from "./message-pane.tsx";

/** A message on its own. */
export function MessageView() {
  const { id } = usePlace();
  return (
    <div class="page">
      <SearchBox q="" />
      <MessagePane key={id} id={id} />
    </div>
  );
}
