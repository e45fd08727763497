import { trpc } from './trpc.ts'

/** The community's links from the server's settings; undefined until they are loaded. */
export const useCommunityLinks = () => trpc.system.settings.useQuery().data?.settings.links
