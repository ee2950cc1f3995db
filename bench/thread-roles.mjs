// Loaded into every thread of a measured command: each thread of the program prints its role and its number in /proc.
import { readlinkSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { isMainThread, workerData } from "node:worker_threads";

const role = isMainThread ? "main" : workerData?.work === undefined ? "workers" : "lead";
writeSync(2, `thread ${role} ${basename(readlinkSync("/proc/thread-self"))}\n`);
