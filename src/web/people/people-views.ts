import { BetweenView } from "../between/between-view.tsx";
import { MentionsView } from "../mentions/mentions-view.tsx";
import { PeopleView } from "./people-view.tsx";
import { PersonView } from "./person-view.tsx";

/** Views that are loaded together: one file is smaller than several. */
export const PEOPLE_VIEWS = {
  people: PeopleView,
  person: PersonView,
  between: BetweenView,
  mentions: MentionsView,
} as const;
