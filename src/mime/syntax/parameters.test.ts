import { describe, expect, it } from "vitest";
import { readParameterizedField } from "./parameters.ts";

const read = (field: string): readonly [string, Readonly<Record<string, string>>] => {
  const { value, parameters } = readParameterizedField(field);
  return [value, Object.fromEntries(parameters)];
};

describe("readParameterizedField", () => {
  it.each([
    ["TEXT/Plain; Charset=UTF-8", "text/plain", { charset: "UTF-8" }],
    ["text/plain", "text/plain", {}],
    ['text / plain (comment); charset="a" (more)', "text/plain", { charset: "a" }],
    ["text/plain charset=utf-8", "text/plain", { charset: "utf-8" }],
    ["a/b; name=my file name.pdf; x=y", "a/b", { name: "my file name.pdf", x: "y" }],
    ['a/b; access-type=mail-server server="s"', "a/b", { "access-type": "mail-server", server: "s" }],
    ['a/b;; = ;name="";x=1;x=2', "a/b", { x: "1" }],
    ['a/b; name="C:\\temp\\x.doc"', "a/b", { name: "C:\\temp\\x.doc" }],
    ['a/b; name="a \\"b\\""', "a/b", { name: 'a "b"' }],
    ['a/b; name="open', "a/b", { name: "open" }],
    ['a/b; name="=?utf-8?Q?=C3=BC?=.txt"', "a/b", { name: "ü.txt" }],
    ["a/b; name==?utf-8?Q?=C3=BC?=.txt", "a/b", { name: "ü.txt" }],
    ["a/b; name*=utf-8'en'%C3%BC.txt", "a/b", { name: "ü.txt" }],
    ["a/b; name*=utf-8'en'\"%C3%BC.txt\"", "a/b", { name: "ü.txt" }],
    ["a/b; name*1=b; name*0=a; name*10=k; name*2=c", "a/b", { name: "abck" }],
    ["a/b; name*0*=utf-8''%C3; name*1*=%BC; name*2=.txt", "a/b", { name: "ü.txt" }],
    ["a/b; name=plain; name*=utf-8''%C3%BC", "a/b", { name: "ü" }],
    ["a/b; name*=iso-8859-1''%E9%zz", "a/b", { name: "é%zz" }],
    ["a/b; name*=%C3%BC", "a/b", { name: "ü" }],
    ["a/b; name='my file.pdf'; x=y", "a/b", { name: "my file.pdf", x: "y" }],
    ["a/b; name=the mill's file.pdf", "a/b", { name: "the mill's file.pdf" }],
    [";charset=x", "", { charset: "x" }],
    ["attachment;filename=a", "attachment", { filename: "a" }],
    ["a/b, name=x", "a/b", { name: "x" }],
    ["a/b; name: x", "a/b", { name: "x" }],
    ["a/b; name=report(1).pdf", "a/b", { name: "report(1).pdf" }],
    ["a/b; name*=utf-8''X%20(P%204)%20y.pdf; x=y (no)", "a/b", { name: "X (P 4) y.pdf", x: "y" }],
    ["a/b; name=\"UTF-8''Caf%C3%A9.pdf\"", "a/b", { name: "Café.pdf" }],
    ['a/b; name="an open.pdf; x=y', "a/b", { name: "an open.pdf", x: "y" }],
    [
      "text/plain; charset=x Content-Transfer-Encoding: 8bit",
      "text/plain",
      { charset: "x", "content-transfer-encoding": "8bit" },
    ],
    ["=?utf-8?Q?a/b=3B_name=3D=22=C3=BC.txt=22?=", "a/b", { name: "ü.txt" }],
  ])("reads %j", (field, value, parameters) => {
    expect(read(field)).toEqual([value, parameters]);
  });

  it("reads a backslash inside a two-byte character as part of it", () => {
    // 表ソ.txt
    const name = Buffer.from("955c835c2e747874", "hex").toString("latin1");
    expect(readParameterizedField(`a/b; name="${name}"`, "shift_jis").parameters.get("name")).toBe("表ソ.txt");
  });

  it("reads raw 8-bit names", () => {
    expect(read(`a/b; name="${Buffer.from("ü").toString("latin1")}.txt"`)[1]).toEqual({ name: "ü.txt" });
  });
});
