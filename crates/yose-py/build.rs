//! What macOS wants to be told when an extension module is linked.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
