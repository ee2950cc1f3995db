import { useEffect } from "preact/hooks";
import { useApplication } from "../application.ts";
import { BASE_PATH } from "../shell/addresses.ts";
import type { Answers } from "../shell/answers.ts";
import { Fault } from "../shell/fault.ts";

/** Marks a link to a message or file that is read again from its source. */
export const ORIGINAL_LINK = { "data-original": "" } as const;

/**
 * Sends a HEAD request before an original is opened, and before anything is saved if a token is needed: browsers show
 * no cause for a failed download, and save the error text under the name of the file.
 */
export function useOriginalLinks(): void {
  const { answers, refused, shell } = useApplication();
  useEffect(() => {
    const asked = new WeakSet<HTMLAnchorElement>();
    const open = async (link: HTMLAnchorElement): Promise<void> => {
      const fault = isOriginal(link) ? await faultOf(answers, link.href) : await faultOfGet(answers, uploadOf(link));
      if (fault === null) {
        asked.add(link);
        link.click();
        // The session has ended: the form asks for another token.
      } else if (fault.status !== UNAUTHORIZED) refused.value = { link, fault };
    };
    const ask = (event: MouseEvent): void => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (link === null || !(isOriginal(link) || (shell.needsToken && isSaved(link))) || asked.delete(link)) return;
      event.preventDefault();
      void open(link);
    };
    addEventListener("click", ask);
    return () => removeEventListener("click", ask);
  }, []);
}

const UNAUTHORIZED = 401;

function isOriginal(link: HTMLAnchorElement): boolean {
  return link.matches("[data-original]");
}

/** Links created by the page itself need no check. */
function isSaved(link: HTMLAnchorElement): boolean {
  return link.hasAttribute("download") && link.protocol !== "blob:";
}

/** Upload of a link: without access to it, nothing of it can be saved. */
function uploadOf({ pathname }: HTMLAnchorElement): string {
  return BASE_PATH + pathname.slice(BASE_PATH.length).split("/", 3).join("/");
}

/** The error of a missing original; null if it exists. HEAD responses have no body, so the text is fetched. */
async function faultOf(answers: Answers, address: string): Promise<Fault | null> {
  const fault = await faultOfRequest(answers, address, "HEAD");
  return fault === null || fault.isOffline ? fault : faultOfGet(answers, address);
}

function faultOfGet(answers: Answers, address: string): Promise<Fault | null> {
  return faultOfRequest(answers, address, "GET");
}

async function faultOfRequest(answers: Answers, address: string, method: "HEAD" | "GET"): Promise<Fault | null> {
  try {
    await answers.send(address, { method });
    return null;
  } catch (cause) {
    return cause instanceof Fault ? cause : new Fault("FAILED", String(cause), -1);
  }
}
