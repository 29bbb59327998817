
pub mod planner;
