import {
  AppWindow,
  AudioLines,
  ChartColumn,
  CodeXml,
  FileArchive,
  FileImage,
  FileText,
  Folder,
  Globe,
  type LucideIcon,
  PenTool,
  Video,
} from 'lucide-react'
import { msg } from '../lib/i18n.ts'
import type { LinkKind } from './link-services.ts'

/** Icon and English label of each kind of link; translate the label with `t`. */
export const LINK_KINDS: Record<LinkKind, { label: string; Icon: LucideIcon }> = {
  code: { label: msg('Code'), Icon: CodeXml },
  design: { label: msg('Design'), Icon: PenTool },
  video: { label: msg('Video'), Icon: Video },
  audio: { label: msg('Audio'), Icon: AudioLines },
  image: { label: msg('Image'), Icon: FileImage },
  document: { label: msg('Document'), Icon: FileText },
  archive: { label: msg('Archive'), Icon: FileArchive },
  app: { label: msg('App'), Icon: AppWindow },
  data: { label: msg('Data'), Icon: ChartColumn },
  folder: { label: msg('Shared files'), Icon: Folder },
  page: { label: msg('Web page'), Icon: Globe },
}
