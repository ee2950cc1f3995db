import { describe, expect, it } from "vitest";
import { encodedPath, encodedQuery, type SigningSetting, signedHeaders } from "./signature-v4.ts";

/** The examples of the Amazon S3 API Reference, with the keys that stand there. */
const SETTING: SigningSetting = {
  credentials: {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    sessionToken: null,
  },
  region: "us-east-1",
  at: Date.UTC(2013, 4, 24),
};
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const HOST = { host: "examplebucket.s3.amazonaws.com" } as const;

describe("a signature is the one that the documentation gives", () => {
  it.each([
    [
      "GET with a range",
      { method: "GET", path: "/test.txt", query: [], headers: { ...HOST, range: "bytes=0-9" }, bodySha256: EMPTY },
      "host;range;x-amz-content-sha256;x-amz-date",
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "PUT",
      {
        method: "PUT",
        path: "/test$file.text",
        query: [],
        headers: { ...HOST, date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
        bodySha256: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      },
      "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    [
      "GET with a query without value",
      { method: "GET", path: "/", query: [["lifecycle", ""]], headers: HOST, bodySha256: EMPTY },
      "host;x-amz-content-sha256;x-amz-date",
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ],
    [
      "GET of a list",
      {
        method: "GET",
        path: "/",
        query: [
          ["prefix", "J"],
          ["max-keys", "2"],
        ],
        headers: HOST,
        bodySha256: EMPTY,
      },
      "host;x-amz-content-sha256;x-amz-date",
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
  ] as const)("%s", (_what, request, names, signature) => {
    expect(signedHeaders(request, SETTING)["authorization"]).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    );
  });

  it("signs the token of a session, and tells no secret", () => {
    const credentials = { ...SETTING.credentials, sessionToken: "a token" };
    const headers = signedHeaders(
      { method: "GET", path: "/", query: [], headers: HOST, bodySha256: EMPTY },
      { ...SETTING, credentials },
    );
    expect(headers["x-amz-security-token"]).toBe("a token");
    expect(headers["authorization"]).toContain("x-amz-security-token");
    expect(JSON.stringify(headers)).not.toContain(credentials.secretAccessKey);
  });
});

it("encodes as the documentation says", () => {
  expect(encodedPath("/a b/ü*(1)!'~.txt")).toBe("/a%20b/%C3%BC%2A%281%29%21%27~.txt");
  expect(
    encodedQuery([
      ["b", "/+="],
      ["a", ""],
    ]),
  ).toBe("a=&b=%2F%2B%3D");
});
