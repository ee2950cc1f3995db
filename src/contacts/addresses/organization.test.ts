import { describe, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { findOrganizations, registrableDomain } from "./organization.ts";

describe("registrableDomain", () => {
  it.each([
    ["acme.com", "acme.com"],
    ["mail.ect.acme.com", "acme.com"],
    ["www.example.co.uk", "example.co.uk"],
    ["example.co.uk", "example.co.uk"],
    ["a.b.example.com.au", "example.com.au"],
    ["bbc.de", "bbc.de"],
    ["acme.onmicrosoft.com", "acme.onmicrosoft.com"],
    ["localhost", "localhost"],
    ["10.1.2.3", "10.1.2.3"],
    ["[10.1.2.3]", "[10.1.2.3]"],
  ])("%s -> %s", (domain, expected) => expect(registrableDomain(domain)).toBe(expected));
});

describe("findOrganizations", () => {
  const { organizationOf, domainOfLabel } = findOrganizations(
    new Map([
      ["acme.net", 3],
      ["ect.acme.com", 5],
      ["ees.acme.com", 1],
      ["gmail.com", 99],
      ["ees.other.org", 1],
    ]),
    fewPages(),
  );

  it("joins subdomains, and excludes free mail providers", () => {
    expect(organizationOf("ect.acme.com")).toBe("acme.com");
    expect(organizationOf("new.acme.com")).toBe("acme.com");
    expect(organizationOf("gmail.com")).toBeNull();
    expect(organizationOf("yahoo.co.uk")).toBeNull();
  });

  it("maps a bare label to its most used domain, registered names first", () => {
    expect(domainOfLabel("acme")).toBe("acme.com");
    expect(domainOfLabel("ect")).toBe("acme.com");
    expect(domainOfLabel("ees")).toBe("acme.com");
    expect(domainOfLabel("other")).toBe("other.org");
    expect(domainOfLabel("gmail")).toBeNull();
    expect(organizationOf("acme")).toBe("acme.com");
  });

  it("does not depend on the order of the domains", () => {
    const one = findOrganizations(
      new Map([
        ["x.org", 1],
        ["x.com", 1],
      ]),
      fewPages(),
    );
    const other = findOrganizations(
      new Map([
        ["x.com", 1],
        ["x.org", 1],
      ]),
      fewPages(),
    );
    expect(one.domainOfLabel("x")).toBe("x.com");
    expect(other.domainOfLabel("x")).toBe("x.com");
  });
});
