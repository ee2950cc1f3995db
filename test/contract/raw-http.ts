import { connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Connects to a listening server. */
export function connectTo(app: FastifyInstance): Socket {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return connect(address.port, "127.0.0.1");
}

/** Sends a path without the normalization of HTTP clients, and returns the complete response. */
export function rawGet(app: FastifyInstance, path: string): Promise<string> {
  return rawRequest(app, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
}

/** Sends bytes and returns everything received until the server closes. */
export function rawRequest(app: FastifyInstance, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(app);
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    socket.write(bytes);
  });
}
