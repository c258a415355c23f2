#!/usr/bin/env bash
# Draws icon.svg into the sizes and containers that the installers want.
# Needs rsvg-convert (librsvg2-bin), convert (imagemagick) and python3; run by hand when the drawing changes.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for size in 16 32 48 64 128 256 512 1024; do
  rsvg-convert --width "$size" --height "$size" icon.svg --output "$work/$size.png"
done
for size in 32 128; do
  convert "$work/$size.png" -depth 8 -strip "PNG32:${size}x${size}.png"
done
convert "$work/512.png" -depth 8 -strip PNG32:icon.png
convert "$work"/{16,32,48,64,128,256}.png icon.ico
# An .icns file is a header and one chunk a size, each holding a PNG.
python3 - "$work" <<'PY'
import pathlib, struct, sys
work = pathlib.Path(sys.argv[1])
kinds = {b"ic11": 32, b"ic12": 64, b"ic07": 128, b"ic08": 256, b"ic09": 512, b"ic10": 1024}
chunks = b""
for kind, size in kinds.items():
    png = (work / f"{size}.png").read_bytes()
    chunks += kind + struct.pack(">I", len(png) + 8) + png
pathlib.Path("icon.icns").write_bytes(b"icns" + struct.pack(">I", len(chunks) + 8) + chunks)
PY
