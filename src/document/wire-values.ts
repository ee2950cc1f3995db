import { COUNT } from "./published-record.ts";
import {
  ADDRESS,
  COMMUNITY_ID,
  CONTACT_ID,
  COUNTS,
  DATE,
  MESSAGE_ID,
  REQUIRED_DATE,
  SCORE,
  SHA256,
  THREAD_ID,
  TOPIC_ID,
} from "./published-values.ts";
import { recordSchemaOf, schemaOf } from "./record-schema.ts";

/** Validators shared by published records and servers. */
export const dateSchema = schemaOf(REQUIRED_DATE);
export const nullableDateSchema = schemaOf(DATE);
export const countSchema = schemaOf(COUNT);
export const scoreSchema = schemaOf(SCORE);
export const sha256Schema = schemaOf(SHA256);
export const messageIdSchema = schemaOf(MESSAGE_ID);
export const contactIdSchema = schemaOf(CONTACT_ID);
export const threadIdSchema = schemaOf(THREAD_ID);
export const topicIdSchema = schemaOf(TOPIC_ID);
export const communityIdSchema = schemaOf(COMMUNITY_ID);
export const addressSchema = recordSchemaOf(ADDRESS);
export const countsSchema = recordSchemaOf(COUNTS);
