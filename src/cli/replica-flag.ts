import type { Command } from "commander";
import { ArchiveError } from "../errors.ts";
import { type ArchiveLocation, isFile } from "../store/archive-location.ts";
import type { SearchEntry } from "../store/archive-thread.ts";
import { portNumber } from "./served-archive.ts";

export interface ReplicaFlag {
  readonly replica?: string;
}

export function addReplicaFlag(command: Command): Command {
  return command.option(
    "--replica <address>",
    "search a collection together with the other replicas of its database, which ask this one at host:port",
  );
}

/** The search thread that flags ask for; undefined for the usual one. Throws INVALID_ARGUMENT. */
export async function replicaOf({ replica }: ReplicaFlag, location: ArchiveLocation): Promise<SearchEntry | undefined> {
  if (replica === undefined) return undefined;
  if (isFile(location))
    throw new ArchiveError("INVALID_ARGUMENT", "--replica takes a collection of a database, and no archive in a file");
  const [, bracketed, plain, port] = /^(?:\[([\da-f:]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(replica) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || port === undefined)
    throw new ArchiveError("INVALID_ARGUMENT", `--replica takes an address such as 10.0.0.5:9410, not "${replica}"`);
  const { replicaEntry } = await import("../http/replica/replica-entry.ts");
  return replicaEntry({ server: location.server, host, port: portNumber(port) });
}
