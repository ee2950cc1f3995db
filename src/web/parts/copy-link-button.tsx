import { useApplication } from "../application.ts";
import { WORDS } from "../words/words.ts";
import { copyLink } from "./copy-link.ts";
import { IconButton } from "./icon.tsx";

/** Copies the link to the current view. */
export function CopyLinkButton() {
  const application = useApplication();
  return <IconButton icon="link" name={WORDS.actions.copyLink} onClick={() => copyLink(application)} />;
}
