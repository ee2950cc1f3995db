import { useApplication } from "../application.ts";
import { WORDS } from "../words/words.ts";
import { copyLink } from "./copy-link.ts";
import { Icon } from "./icon.tsx";

/** Copies the link to the current view. */
export function CopyLinkButton() {
  const application = useApplication();
  return (
    <button
      type="button"
      class="tool"
      onClick={() => copyLink(application)}
      aria-label={WORDS.actions.copyLink}
      title={WORDS.actions.copyLink}
    >
      <Icon name="link" />
    </button>
  );
}
