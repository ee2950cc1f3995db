import { useEffect } from "preact/hooks";
import type { Answers } from "../answers.ts";
import { useApplication } from "../application.ts";
import { Fault } from "../fault.ts";

/** Marks a link to a message or file that is read again from its source. */
export const ORIGINAL_LINK = { "data-original": "" } as const;

/** A link whose original cannot be had, and why. */
export interface RefusedOriginal {
  readonly link: HTMLAnchorElement;
  readonly fault: Fault;
}

/** Asks for an original before it is opened or saved: a browser tells nobody why there is nothing to save. */
export function useOriginalLinks(): void {
  const { answers, refused } = useApplication();
  useEffect(() => {
    const asked = new WeakSet<HTMLAnchorElement>();
    const open = async (link: HTMLAnchorElement): Promise<void> => {
      const fault = await faultOf(answers, link.href);
      if (fault !== null) refused.value = { link, fault };
      else {
        asked.add(link);
        link.click();
      }
    };
    const ask = (event: MouseEvent): void => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-original]") : null;
      if (link === null || asked.delete(link)) return;
      event.preventDefault();
      void open(link);
    };
    addEventListener("click", ask);
    return () => removeEventListener("click", ask);
  }, []);
}

/** Why nothing is there; null where something is. The answer to HEAD has no words: they are asked for. */
async function faultOf(answers: Answers, address: string): Promise<Fault | null> {
  for (const method of ["HEAD", "GET"]) {
    try {
      await answers.send(address, { method });
      return null;
    } catch (cause) {
      if (method === "GET" || (cause instanceof Fault && cause.isOffline)) return asFault(cause);
    }
  }
  return null;
}

function asFault(cause: unknown): Fault {
  return cause instanceof Fault ? cause : new Fault("FAILED", String(cause), -1);
}
