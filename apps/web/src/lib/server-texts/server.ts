import { msg } from '../i18n.ts'

/** Texts of apps/server that people see: listed for `lingui extract`, imported by the tests alone. */
export const SERVER_TEXTS = [
  msg('This page is too far from the start. Send nextCursor from the previous page as cursor.'),
  msg('A member of this team has already applied to “{title}” with another team'),
  msg('This access token has expired. Create a new one in your account settings.'),
  msg('This access token needs the scope “{scope}”'),
  msg('This ZIP file cannot be accepted: it is damaged'),
  msg('This ZIP file cannot be accepted: it contains more than 10,000 files'),
  msg('This ZIP file cannot be accepted: it is larger than 1 GB when unpacked'),
  msg('This ZIP file cannot be accepted: it contains symbolic links'),
  msg('This ZIP file cannot be accepted: it contains unsafe file names'),
  msg('This ZIP file cannot be accepted: it is empty'),
  msg('The upload was interrupted'),
  msg('The form is malformed'),
  msg('Send the file as multipart/form-data'),
  msg('The body must be a JSON object'),
  msg('The body is not valid JSON'),
  msg('The request is malformed'),
  msg('Something went wrong. Please try again.'),
  msg('Streamed responses are not supported. Accept application/json, as httpBatchLink does.'),
]
