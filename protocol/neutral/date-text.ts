import { z } from "zod";

const day = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
const clock = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[ +-]([01][0-9]|2[0-3]):[0-5][0-9])?";

const dayForm = "Send a day as YYYY-MM-DD.";

export const dayText = z
  .string()
  .max(32)
  .regex(new RegExp(`^${day}$`), dayForm);

/** Empty: none. */
export const dayFilter = z
  .string()
  .max(32)
  .regex(new RegExp(`^(${day})?$`), dayForm)
  .nullish();

/** A whole day or an instant; empty: none. In a query string `+` arrives as a blank. */
export const momentFilter = z
  .string()
  .max(64)
  .regex(
    new RegExp(`^(${day}(T${clock})?)?$`),
    "Send a day as YYYY-MM-DD or an instant such as 2027-03-01T09:00:00+01:00.",
  )
  .nullish();
