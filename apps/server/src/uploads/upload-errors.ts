import { appErrors, withMessage } from '@community/contract'

export const notMultipart = withMessage(appErrors.wrongContentType, 'Send the file as multipart/form-data')
export const moreThanOneFile = withMessage(
  { ...appErrors.tooManyFiles, template: undefined, params: undefined },
  'Send only one file',
)
export const malformedForm = withMessage(appErrors.validation, 'The form is malformed')
