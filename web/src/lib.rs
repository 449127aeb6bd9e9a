//! The laboratory in a browser: the program behind a page, in a worker.
//!
//! The page sends requests as JSON, `{"do": "open", …}`, and receives answers; with an open session
//! also pictures and reports. [`Engine`] is the whole interface to JavaScript: `page/worker.js`
//! passes messages on. web/README.md lists the requests.

pub mod commands;
pub mod diagnostics;
pub mod laboratory;
pub mod least_speed;
pub mod library;
pub mod own_step;
pub mod report;
pub mod requests;
pub mod runs;
pub mod set_now;

use laboratory::Laboratory;
use serde_json::Value;
#[cfg(target_family = "wasm")]
use wasm_bindgen::prelude::wasm_bindgen;

/// The engine behind a page.
#[cfg_attr(target_family = "wasm", wasm_bindgen)]
#[derive(Default)]
pub struct Engine {
    laboratory: Laboratory,
    bytes: Vec<u8>,
}

impl Engine {
    /// Answers a request; `progress` receives the progress of a long one.
    ///
    /// # Errors
    /// The refusal in words.
    pub fn reply(
        &mut self,
        request: &Value,
        progress: &mut dyn FnMut(f64, &str),
    ) -> Result<Value, String> {
        if request["do"] == "png" {
            self.bytes = self.laboratory.png()?;
            return Ok(Value::Null);
        }
        if let Some(answer) = self.laboratory.answer(request) {
            return answer;
        }
        let (value, bytes) = requests::answer(request, progress)?;
        self.bytes = bytes;
        Ok(value)
    }
}

#[cfg_attr(target_family = "wasm", wasm_bindgen)]
impl Engine {
    /// An engine without a scene.
    #[cfg_attr(target_family = "wasm", wasm_bindgen(constructor))]
    pub fn new() -> Engine {
        #[cfg(target_family = "wasm")]
        console_error_panic_hook::set_once();
        Engine::default()
    }

    /// The version of the program.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").into()
    }

    /// Bytes of the last answer: a picture.
    pub fn bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// Advances in real time; returns whether there is a new picture.
    pub fn pass(&mut self) -> bool {
        self.laboratory.pass()
    }

    /// Whether `pass` must be called again immediately.
    pub fn is_busy(&self) -> bool {
        self.laboratory.is_busy()
    }

    /// Width of the picture \[pixels\].
    pub fn width(&self) -> usize {
        self.laboratory.size()[0]
    }

    /// Height of the picture \[pixels\].
    pub fn height(&self) -> usize {
        self.laboratory.size()[1]
    }

    /// The picture: red, green, blue and opacity of every pixel.
    pub fn pixels(&self) -> Vec<u8> {
        self.laboratory.pixels()
    }

    /// The report for the picture as JSON, if it is due.
    pub fn report(&mut self) -> Option<String> {
        self.laboratory.report().map(|report| report.to_string())
    }
}

#[cfg(target_family = "wasm")]
#[wasm_bindgen]
impl Engine {
    /// Answers a request in JSON with JSON; `progress` is called with a share and words.
    ///
    /// # Errors
    /// The refusal in words.
    pub fn answer(&mut self, request: &str, progress: &js_sys::Function) -> Result<String, String> {
        let request: Value = serde_json::from_str(request).map_err(|error| error.to_string())?;
        let mut told = |share: f64, words: &str| {
            // a page that cannot show progress still gets its answer
            let _ = progress.call2(&wasm_bindgen::JsValue::NULL, &share.into(), &words.into());
        };
        Ok(self.reply(&request, &mut told)?.to_string())
    }
}
