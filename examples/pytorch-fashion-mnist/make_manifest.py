"""Writes what a drop with a manifest needs: manifest.json, which names the images, and drop/job.json, which names it.

    python make_manifest.py BUCKET [--prefix shared/fashion-mnist/]

Upload the images and the manifest below the prefix, and drop the folder `drop`.
"""

import argparse
import json
import pathlib

HERE = pathlib.Path(__file__).parent
IMAGES = HERE.parent / "fashion-mnist" / "images"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bucket")
    parser.add_argument("--prefix", default="shared/fashion-mnist/")
    options = parser.parse_args()

    place = f"s3://{options.bucket}/{options.prefix}"
    names = sorted(path.name for path in IMAGES.glob("*.png"))
    (HERE / "manifest.json").write_text(json.dumps([{"prefix": f"{place}images/"}, *names]))
    (HERE / "drop").mkdir(exist_ok=True)
    (HERE / "drop" / "job.json").write_text(json.dumps({"input": {"manifest": f"{place}manifest.json"}}, indent=2))
    print(f"{len(names)} images; upload {IMAGES} to {place}images/ and manifest.json to {place}manifest.json")


if __name__ == "__main__":
    main()
