import type { Logger } from "pino";
import type { ArchiveCorrections } from "../../http/explore-api/routes/correction-routes.ts";
import type { createLocalServer } from "../../http/local-server/local-server.ts";
import type { OriginalSearch } from "../../sources/read-original.ts";
import { replacementOf } from "../../store/archive/replaced-archive.ts";
import { type ArchiveLocation, displaySource, type FileLocation } from "../../store/contract/archive-location.ts";
import { applyCorrections, isOutputDirectory } from "../extracting/apply-corrections.ts";
import { locateSource, openLocatedArchive } from "../extracting/open-archive.ts";
import type { Session } from "../terminal/session.ts";
import { privateDirectory } from "./original-flags.ts";
import { environmentName, warmPage } from "./served-archive.ts";

/** How the server of an archive is started. */
interface LocalArchiveSetting {
  readonly host: string;
  /** Further allowed values of Host, in lower case. */
  readonly allowedHosts: readonly string[];
  /** The path that it is published under, such as `/mail`; empty for the root. */
  readonly basePath: string;
  readonly isReadOnly: boolean;
  readonly originals: OriginalSearch;
  readonly log: Logger;
}

/** An open archive and its server, which does not listen yet. */
export interface LocalArchive {
  readonly app: Awaited<ReturnType<typeof createLocalServer>>;
  /** Loads the search index and the columns of facets, so that the first query is fast. */
  warm(): void;
  /** Closes the archive, not the server. */
  close(): Promise<void>;
}

/** Opens an archive with its notebook, and creates the server of `serve`. Throws as `locateSource`. */
export async function openLocalArchive(
  source: string,
  setting: LocalArchiveSetting,
  session: Session,
): Promise<LocalArchive> {
  const location = await locateSource(source, session);
  if (setting.isReadOnly || !isOutputDirectory(location))
    return openServed(source, location, { ...setting, corrections: null });
  return openCorrectable(source, location, setting);
}

/** The same for an archive that is replaced, and reopened, after each correction. */
async function openCorrectable(
  source: string,
  location: FileLocation,
  setting: LocalArchiveSetting,
): Promise<LocalArchive> {
  const { createReplaceableServer } = await import("../../http/local-server/replaceable-server.ts");
  const { CorrectionFollower } = await import("../../http/explore-api/setting/correction-follower.ts");
  const { fileCorrections, PEOPLE_FILE, TOPICS_FILE } = await import("../../store/notebook/corrections-file.ts");
  const ending = new AbortController();
  const follower = new CorrectionFollower(async () => {
    try {
      await applyCorrections(location, ending.signal);
      const next = await open();
      const before = served;
      served = next;
      await server.replace(next.app);
      await before.close();
    } catch (error) {
      if (!ending.signal.aborted) setting.log.error(error, "corrections not applied");
      throw error;
    }
  });
  const corrections = {
    people: fileCorrections(location, PEOPLE_FILE),
    topics: fileCorrections(location, TOPICS_FILE),
    follower,
  };
  const open = (): Promise<LocalArchive> => openServed(source, location, { ...setting, corrections });
  let served = await open();
  const server = await createReplaceableServer(served.app, setting.log);
  return {
    app: server.app,
    warm: () => served.warm(),
    async close() {
      ending.abort();
      await follower.ended();
      await served.close();
    },
  };
}

async function openServed(
  source: string,
  location: ArchiveLocation,
  {
    host,
    allowedHosts,
    basePath,
    isReadOnly,
    originals,
    log,
    corrections,
  }: LocalArchiveSetting & { readonly corrections: ArchiveCorrections | null },
): Promise<LocalArchive> {
  const server = await import("../../http/local-server/local-server.ts");
  const { OriginalThread } = await import("../../originals/original-thread.ts");
  const { openNotebookAt } = await import("../../store/archive/open-notebook-at.ts");
  const { watchArchive } = await import("../../store/archive/watch-archive.ts");
  // Before opening, so that a replacement in between is noticed.
  const isReplaced = replacementOf(location);
  const archive = await openLocatedArchive(isReadOnly ? { ...location, isNotebookHidden: true } : location);
  const opened: { close(): Promise<void> }[] = [archive];
  const close = async (): Promise<void> => {
    for (const one of opened) await one.close();
  };
  try {
    const watch = await watchArchive(location);
    if (watch !== null) opened.push(watch);
    const notebook = isReadOnly ? null : await openNotebookAt(location);
    if (notebook !== null) opened.push(notebook);
    const start = {
      ...{ source: displaySource(source), environment: environmentName(), host, allowedHosts, basePath },
      ...{ originals: new OriginalThread(originals), notebook, corrections, watch, isReplaced },
      newDirectory: privateDirectory,
    };
    const app = await server.createLocalServer(archive, start, log);
    return { app, warm: () => warmPage(archive), close };
  } catch (error) {
    await close();
    throw error;
  }
}
