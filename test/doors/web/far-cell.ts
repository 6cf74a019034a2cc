import { crc32, deflateRawSync } from "node:zlib"

const XML = '<?xml version="1.0"?>'
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"

/** A workbook of a kilobyte with one sheet, in which a cell stands at an address. */
export function withFarCell(address: string): Uint8Array<ArrayBuffer> {
  const row = address.replace(/^(?:&#88;|X)?FD/, "")
  const related = (id: string, type: string, target: string) =>
    `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`
  return zipOf({
    "_rels/.rels": related("rId1", "officeDocument", "xl/workbook.xml"),
    "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": related("rId1", "worksheet", "worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml": `${XML}<worksheet xmlns="${MAIN}"><sheetData><row r="${row}"><c r="${address}"><v>1</v></c></row></sheetData></worksheet>`,
  })
}

function zipOf(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    // Version, flags, method, time and day; checksum, sizes, length of the name and of what is extra.
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(name.length, 22)
    const offset = Buffer.alloc(14)
    offset.writeUInt32LE(at, 10)
    directory.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), about, offset, Buffer.from(name))
    parts.push(Buffer.from("PK\x03\x04", "latin1"), about, Buffer.from(name), packed)
    at += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write("PK\x05\x06", "latin1")
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...parts, listed, end]))
}
