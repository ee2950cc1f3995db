import { BetweenView } from "../between/between-view.tsx";
import { PeopleView } from "./people-view.tsx";
import { PersonView } from "./person-view.tsx";

/** Views that are loaded together: one file weighs less than several. */
export const PEOPLE_VIEWS = { people: PeopleView, person: PersonView, between: BetweenView } as const;
