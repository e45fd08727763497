import { msg } from './msg.ts'

/** Messages about requests that only programs send. The server translates them; browsers load catalogs without them. */
export const API_TEXTS = [
  msg('page must be a whole number'),
  msg('page must be at least {n}'),
  msg('page must be at most {n}'),
  msg('limit must be a whole number'),
  msg('limit must be at least {n}'),
  msg('limit must be at most {n}'),
  msg('Must be 1 to 12 team ids, separated by commas'),
  msg('{field} can be given only once'),
  msg('This page number is too high. Use cursor.'),
  msg('Send the file as multipart/form-data'),
  msg('Send only one file'),
  msg('Send the body without Content-Encoding'),
  msg('Send the part as application/octet-stream'),
  msg('The body must be a JSON object'),
  msg('The body is not valid JSON'),
  msg('Streaming is not supported. Accept application/json.'),
]
