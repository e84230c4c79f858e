/** A record that the import refuses, with the message that it must give. */
export type RefusedRecord = [what: string, record: object | string, message: string];
