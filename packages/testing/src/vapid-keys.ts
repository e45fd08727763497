/** Keys that sign push messages in tests. */
export const VAPID_KEYS = {
  VAPID_PUBLIC_KEY: 'BCYBbvDDjVuJTiUxV1OydNhsFBGj_A6y8nHg6CvnwZmapv-l8GaKDiITfo3xljEgT9fiewixtyz6llXANhTmKO0',
  VAPID_PRIVATE_KEY: 'ZoGofxwdM9xikC_QfjrUtabVfN8fsd9gQUo7ZOCunBs',
}
