import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");

const NODE_WARNING = /^\(node:\d+\) .*/m;

/** A server, such as `archivetool service`, that tests may kill. */
export interface RunningService {
  readonly url: string;
  readonly process: ChildProcess;
  /** Sends a signal and waits until the process has ended. Rejects if Node.js printed a warning. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** Starts the built service over a data directory and waits until it listens. Rejects if it ends before. */
export function startService(dataDirectory: string, ...flags: readonly string[]): Promise<RunningService> {
  return startServer("service", "--data", dataDirectory, ...flags);
}

/** The same for any command that starts a server, on a free port if it names none. */
export async function startServer(...command: readonly string[]): Promise<RunningService> {
  const port = command.includes("--port") ? [] : ["--port", "0"];
  const child = spawn(process.execPath, [CLI, ...command, ...port], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  let isAsked = false;
  const ended = new Promise<void>((settle) => child.once("exit", () => settle()));
  const url = await new Promise<string>((settle, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.stdout.on("data", () => {
      const found = /http:\/\/[\w.:[\]]+/.exec(printed)?.[0];
      if (found !== undefined) settle(found);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
  child.once("exit", (code, signal) => {
    if (!isAsked) console.error(`the server ended by itself (${code ?? signal}):\n${printed}`);
  });
  return {
    url,
    process: child,
    async end(signal) {
      isAsked = true;
      child.kill(signal);
      await ended;
      const warning = NODE_WARNING.exec(printed)?.[0];
      if (warning !== undefined) throw new Error(`the server has shown its user what Node says: ${warning}`);
    },
  };
}

/** Running child processes of a process. @see proc_pid_stat(5) */
export function childrenOf(processId: number): readonly number[] {
  return processIds().filter((candidate) => statOf(candidate)?.[1] === String(processId));
}

/** Processes with a working directory below a directory; a job uses the directory of its source. */
export function processesIn(directory: string): readonly number[] {
  return processIds().filter((processId) => {
    try {
      return readlinkSync(`/proc/${processId}/cwd`).startsWith(directory) && statOf(processId)?.[0] !== "Z";
    } catch {
      return false;
    }
  });
}

function processIds(): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** State, parent and the fields after them. */
function statOf(processId: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
