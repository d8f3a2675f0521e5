"""The check of names must fail when a type is defined twice, and only then."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(**files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / "src" / f"{name}.h"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return subprocess.run(
            [sys.executable, ROOT / "scripts/check_names.py", folder],
            capture_output=True,
            text=True,
        )


class Names(unittest.TestCase):
    def test_a_name_of_two_types_fails_and_names_both_places(self):
        for one, two in [
            ("struct A {};", "class A final : public B {};"),
            ("enum class A : int { x };", "struct A {\n  int y;\n};"),
        ]:
            done = check(
                a=f"namespace railyard {{\n{one}\n}}", b=f"namespace railyard {{\n\n{two}\n}}"
            )
            self.assertEqual(done.returncode, 1)
            self.assertIn("src/b.h:3: railyard::A is a type in src/a.h:2 too", done.stdout)

    def test_what_is_no_second_definition_passes(self):
        for other in [
            "namespace other { struct A {}; }",
            "namespace railyard { namespace { struct A {}; } }",
            "namespace railyard { struct A; }",
            "namespace railyard { struct B { struct A {}; }; }",
            "namespace railyard { struct A::Inner {}; }",
            "namespace railyard { template<> struct A<int> {}; }",
            "namespace railyard { // struct A {}\n}",
            'namespace railyard { auto text = "struct A {"; }',
            "namespace railyard { void f(struct A* a) { a; } }",
        ]:
            done = check(a="namespace railyard { struct A {}; }", b=other)
            self.assertEqual((done.returncode, done.stdout), (0, "names: fine\n"), other)


unittest.main()
