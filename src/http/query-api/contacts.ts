import { orNotFound, queryRoute } from "./query-route.ts";
import { contactDetailSchema, contactListSchema } from "./wire.ts";
import { contactDetailWire, contactWire, paginationWire } from "./wire-records.ts";
import { contactParameters, noParameters } from "./wire-requests.ts";

export const contactList = queryRoute({
  path: "/contacts",
  summary: "Contacts: most active first, by name, or most recently seen first",
  parameters: contactParameters,
  data: contactListSchema,
  async answer({ archive, parameters }) {
    const { items, total } = await archive.contacts.list(parameters.sort, parameters, parameters.search);
    return { contacts: items.map(contactWire), pagination: paginationWire(total, parameters) };
  },
});

export const contactDetail = queryRoute({
  path: "/contacts/{contact_id}",
  summary: "One contact with its messages and topics",
  parameters: noParameters,
  data: contactDetailSchema,
  async answer({ archive, id }) {
    return contactDetailWire(orNotFound(await archive.contacts.get(id), "Contact", id));
  },
});
