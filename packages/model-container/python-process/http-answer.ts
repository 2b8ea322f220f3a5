import * as z from 'zod';

/** A header's name: RFC 9110, 5.1. */
export const FIELD_NAME = /^[!#$%&'*+.^`|~\w-]{1,256}$/;

/** Characters that a header's value may have: RFC 9110, 5.5, without the obsolete bytes above 126. */
export const FIELD_VALUE = /^[\t\x20-\x7e]{0,8192}$/;

/** Status of an answer that is whole: those below 200 announce another one. */
export const STATUS = z.int().min(200).max(599);
