import { trpc } from './trpc.ts'

/** Where the community meets, as the server's settings have it; undefined until they are known. */
export const useCommunityLinks = () => trpc.system.settings.useQuery().data?.settings.links
