import { useApplication, useRoute } from "../application.ts";
import { BASE_PATH } from "./addresses.ts";
import { useAnswer } from "./use-answer.ts";

/** What the archive of the address is called: an upload by its file name; "" while that is not known. */
export function useArchiveName(): string {
  const { shell } = useApplication();
  const { archive } = useRoute();
  const isKnown = archive === "" || shell.archive?.id === archive;
  const { data, fault } = useAnswer<{ readonly filename: string }>(
    isKnown ? null : `${BASE_PATH}/uploads/${encodeURIComponent(archive)}`,
  );
  if (isKnown) return shell.archive?.name ?? "";
  return fault === null ? (data?.filename ?? "") : archive;
}
