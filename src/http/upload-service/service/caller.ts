import type { FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import type { AccessToken } from "../../../mail/access.ts";

/** The sender of a request. */
export interface Caller {
  /** Name of the token, or a constant without one. */
  readonly name: string;
  /** Unrestricted: the service token, or a service without tokens. */
  readonly isOperator: boolean;
  readonly mayUpload: boolean;
}

export const OPERATOR: Caller = { name: "operator", isOperator: true, mayUpload: true };
/** Caller of a service without tokens. */
export const ANYBODY: Caller = { name: "anybody", isOperator: true, mayUpload: true };
/** A caller without a token if one is required: public routes reveal nothing about uploads. */
export const NOBODY: Caller = { name: "nobody", isOperator: false, mayUpload: false };
/** Reserved token names. */
export const RESERVED_NAMES: readonly string[] = [OPERATOR, ANYBODY, NOBODY].map(({ name }) => name);

export function holderAsCaller({ name, mayUpload }: AccessToken): Caller {
  return { name, isOperator: false, mayUpload };
}

/** Caller of each request, set by the check that all requests pass and read by routes that open uploads. */
export class Callers {
  private readonly known = new WeakMap<FastifyRequest, Caller>();

  set(request: FastifyRequest, caller: Caller): void {
    this.known.set(request, caller);
  }

  /** Throws UNAUTHORIZED for a request that passed no check. */
  of(request: FastifyRequest): Caller {
    const caller = this.known.get(request);
    if (caller === undefined) throw new ArchiveError("UNAUTHORIZED", "a bearer token is required");
    return caller;
  }
}
