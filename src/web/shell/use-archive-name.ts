import { useApplication, useRoute } from "../application.ts";
import { BASE_PATH } from "./addresses.ts";
import { useAnswer } from "./use-answer.ts";

/** Name of the current archive: of an upload, its file name; "" while unknown. */
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
