// The web app's style sheet is generated from these colours, so its scripts only need a colour's number.

/** `tile` is filled; `band` is the card's head; `text` is text on the band. */
interface TeamColour {
  name: string
  tile: string
  band: string
  text: string
  tileDark: string
  bandDark: string
  textDark: string
}

const colour = (
  name: string,
  tile: string,
  band: string,
  text: string,
  tileDark: string,
  bandDark: string,
  textDark: string,
): TeamColour => ({ name, tile, band, text, tileDark, bandDark, textDark })

export const TEAM_COLOURS: readonly TeamColour[] = [
  colour('Fassi cobalt', '#2454B3', '#E8F0FE', '#17397B', '#6F9DF3', '#172745', '#B9D2FF'),
  colour('Chefchaouen', '#01628E', '#E1F2FE', '#004262', '#63A7D2', '#0B2B3D', '#A9D8F8'),
  colour('Majorelle', '#5140C0', '#ECEEFF', '#363079', '#908FFF', '#232344', '#C9CCFF'),
  colour('Amazigh indigo', '#49578D', '#EAEFFD', '#2D386C', '#8D9CCF', '#21263C', '#C4D0F5'),
  colour('Tiznit silver', '#4E5C6B', '#ECF0F3', '#313F4D', '#93A0AE', '#23282E', '#C8D2DD'),
  colour('Essaouira sea', '#046677', '#E1F3F7', '#004552', '#63ABBC', '#0B2D34', '#A9DBE7'),
  colour('Agadir lagoon', '#036966', '#E3F3F2', '#004745', '#6AACA9', '#0F2D2C', '#ADDCD9'),
  colour('Mint tea', '#036C4D', '#E2F4EB', '#004933', '#69AF91', '#0E2F22', '#ADDEC7'),
  colour('Oasis palm', '#1C6C31', '#E4F4E5', '#004B19', '#71B07A', '#132F18', '#B2DFB7'),
  colour('Argan', '#526319', '#ECF2E2', '#364400', '#95A76B', '#242B11', '#CAD8AC'),
  colour('Olive of Meknès', '#605E17', '#F0F0E1', '#414000', '#A3A26A', '#2A2910', '#D4D4AC'),
  colour('Taliouine saffron', '#745501', '#F7EEDD', '#4F3900', '#BA9A57', '#332506', '#E6CEA0'),
  colour('Ouarzazate ochre', '#804E03', '#FBEDDE', '#583400', '#C5935C', '#372309', '#EFCAA3'),
  colour('Tangerine', '#8F4100', '#FFEBE0', '#632A00', '#D5895E', '#3E1E0A', '#FCC3A4'),
  colour('Marrakech clay', '#993519', '#FEEAE5', '#6E1C03', '#DE8269', '#401B12', '#FEC0AF'),
  colour('Pomegranate', '#A51C30', '#FEE9E9', '#6F1821', '#EA7678', '#401A1B', '#FEBEBD'),
  colour("M'Gouna rose", '#9A255E', '#FEE9F0', '#6A183F', '#E078A1', '#3E1A29', '#FFBBD3'),
  colour('Fig', '#7E3D82', '#FAE9FA', '#5B205F', '#C186C4', '#361D37', '#ECC0EE'),
]
