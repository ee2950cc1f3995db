import { spawn } from "node:child_process";

/**
 * The program of each system that shows an address in the user's browser; it gets the address as one argument, and no
 * shell reads it.
 */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ["open"],
  // `start` is built into the Windows shell; this is what it calls.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};
const DEFAULT_OPENER = ["xdg-open"] as const;
/** Addresses that mean "all of this machine": a browser is sent to loopback. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/**
 * Opens a page of our own server in the user's browser, which runs independently. Only pass the address that the server
 * listens on.
 * @param onFailure called with the reason if no program can open it.
 */
export function openPage(address: string, platform: NodeJS.Platform, onFailure: (reason: string) => void): void {
  const url = new URL(address);
  url.hostname = ANY_ADDRESS[url.hostname] ?? url.hostname;
  const [program, ...args] = OPENERS[platform] ?? DEFAULT_OPENER;
  const child = spawn(program, [...args, url.href], { stdio: "ignore", detached: true, shell: false });
  child.once("error", (error: NodeJS.ErrnoException) =>
    onFailure(error.code === "ENOENT" ? `${program} is not installed` : (error.code ?? error.message)),
  );
  child.once("exit", (code) => {
    if (code !== 0 && code !== null) onFailure(`${program} exited with ${code}`);
  });
  child.unref();
}

/** Says that no browser was opened, and which address to open instead. */
export function unopened(log: { warning(line: string): void }, url: string): (reason: string) => void {
  return (reason) => log.warning(`cannot open a browser (${reason}): open ${url}`);
}
